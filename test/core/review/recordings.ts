import type { RecordedInteraction } from '../../../src/core/model/interaction';
import type { Message, ToolCall } from '../../../src/core/model/message';
import { compareTapes, type TapeComparison } from '../../../src/core/review/compare/compareTapes';
import { Normaliser } from '../../../src/core/review/compare/normaliser';
import { type FileMerge, mergeTapes } from '../../../src/core/review/merge/mergeTapes';
import type { RecordedTape } from '../../../src/core/review/recordings';
import { mofaFormat } from '../../../src/core/tapes/formats/mofa/index';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';

export function say(role: string, content: string): Message {
  return { role, content, toolCalls: [] };
}

/** One call of a model: what was said, and the answer. */
export function turn(
  messages: readonly Message[],
  content: string | null,
  more: { readonly model?: string; readonly calls?: readonly ToolCall[]; readonly tokens?: number } = {},
): RecordedInteraction {
  const { model = 'gpt-4o', calls = [], tokens = 10 } = more;
  return {
    request: { model, messages, tools: [], params: {} },
    response: {
      content,
      toolCalls: calls,
      usage: { promptTokens: tokens, completionTokens: 5, totalTokens: tokens + 5 },
    },
  };
}

/** A MoFA tape of these interactions, as a file. */
export function recorded(interactions: readonly RecordedInteraction[]): RecordedTape {
  const file = tapeFileFromText(mofaFormat.serialise?.('case', interactions) ?? '', 'case.tape.json');
  return { file, format: mofaFormat, tape: mofaFormat.read(file) };
}

export interface Reviewed {
  readonly before: RecordedTape;
  readonly after: RecordedTape;
  readonly comparison: TapeComparison;
  readonly merge: FileMerge;
}

export function review(
  old: readonly RecordedInteraction[],
  now: readonly RecordedInteraction[],
  normaliser = new Normaliser(),
): Reviewed {
  const [before, after] = [recorded(old), recorded(now)];
  const comparison = compareTapes(before.tape, after.tape, normaliser);
  return { before, after, comparison, merge: mergeTapes(before, after, comparison, normaliser) };
}

/** The changes as short lines, such as `edited text 0>0 response.content`. */
export function lines({ changes }: Pick<TapeComparison, 'changes'>): string[] {
  return changes.map(({ kind, subject, place: { before, after, path } }) =>
    `${kind} ${subject} ${before ?? ''}>${after ?? ''} ${path.join('.')}`.trim(),
  );
}
