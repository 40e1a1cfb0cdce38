import type { Interaction } from '../../model/interaction';
import { type Difference, identityOf } from './difference';
import { contentShape, messageContent, responseContent } from './interactionShape';
import type { Normaliser } from './normaliser';

/** The keys by which the repeats of a difference are recognised. */
export interface RepeatKeys {
  readonly keys: readonly string[];
  /** It may itself be the repeat of an earlier one, which has its first key. */
  readonly mayRepeat: boolean;
}

/**
 * The keys that a difference shares with its repeats: a request contains the conversation so far, so an edit of the system
 * prompt, or of a response, is repeated in every later request. Empty for differences that cannot be repeated.
 */
export function repeatKeysOf(difference: Difference, normaliser: Normaliser): RepeatKeys {
  const { kind, subject, path, name, given, rules = [] } = difference;
  const isText = subject === 'text' || subject === 'tool result';
  const inRequest = path[0] === 'request' || subject === 'model';
  if (subject === 'id' || kind === 'moved' || !(inRequest || isText || CALL_SUBJECTS.includes(subject)))
    return { keys: [], mayRepeat: false };
  const about = isText ? 'text' : `${subject} ${subject === 'model' ? '' : (name ?? '')}`;
  // What was given is recognised without its volatile values, so that noise could take a change for its repeat.
  const noise = given === 'context' && rules.some((rule) => rule !== 'ignored') ? 'noise' : NO_NOISE;
  return { keys: [keyOf(about, kind, noise, ...identityOf(difference, normaliser))], mayRepeat: inRequest };
}

const NO_NOISE = '';
const CALL_SUBJECTS = ['tool', 'arguments'];

/**
 * The keys of the messages by which later requests repeat an added or removed interaction: its last messages and response.
 */
export function repeatedMessageKeys(
  { request, response }: Interaction,
  kind: 'added' | 'removed',
  normaliser: Normaliser,
): RepeatKeys {
  const messages = request?.messages ?? [];
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1).map(messageContent);
  const repeated = response === undefined ? since : [...since, { ...responseContent(response), role: 'assistant' }];
  const keys = repeated.map((message) => {
    const shape = normaliser.key(contentShape(message));
    return keyOf(`message ${message.role ?? ''}`, kind, NO_NOISE, ...(kind === 'added' ? ['', shape] : [shape, '']));
  });
  return { keys, mayRepeat: false };
}

function keyOf(...parts: readonly string[]): string {
  return parts.join('\u0000');
}
