import type { Interaction } from '../../model/interaction';
import type { Difference } from './difference';
import { contentShape, messageContent, responseContent } from './interactionShape';
import type { Normaliser } from './normaliser';

/** By what a difference is recognised when it is found again. */
export interface RepeatKeys {
  readonly keys: readonly string[];
  /** It may itself be the repeat of an earlier one. */
  readonly mayRepeat: boolean;
}

/**
 * What a difference has in common with its repeats. A request carries the conversation so far, so an edit of the system
 * prompt, or of an answer, shows in every later request. No keys for what stands alone.
 */
export function repeatKeysOf(difference: Difference, normaliser: Normaliser): RepeatKeys {
  const { kind, subject, path, before, after, name, rules } = difference;
  const isText = subject === 'text' || subject === 'tool result';
  const inRequest = path[0] === 'request' || subject === 'model';
  if (rules !== undefined || kind === 'moved' || !(inRequest || isText || CALL_SUBJECTS.includes(subject)))
    return { keys: [], mayRepeat: false };
  const about = isText ? 'text' : `${subject} ${subject === 'model' ? '' : (name ?? '')}`;
  return { keys: [keyOf(about, kind, normaliser.key(before), normaliser.key(after))], mayRepeat: inRequest };
}

const CALL_SUBJECTS = ['tool', 'arguments'];

/**
 * The messages by which later requests repeat an interaction that is new or gone: what was said last, and the answer.
 */
export function repeatedMessageKeys(
  { request, response }: Interaction,
  kind: 'added' | 'removed',
  normaliser: Normaliser,
): RepeatKeys {
  const messages = request?.messages ?? [];
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1).map(messageContent);
  const spoken = response === undefined ? since : [...since, { ...responseContent(response), role: 'assistant' }];
  const keys = spoken.map((said) => {
    const shape = normaliser.key(contentShape(said));
    return keyOf(
      `message ${said.role ?? ''}`,
      kind,
      ...(kind === 'added' ? (['', shape] as const) : ([shape, ''] as const)),
    );
  });
  return { keys, mayRepeat: false };
}

function keyOf(...parts: readonly string[]): string {
  return parts.join('\u0000');
}
