import { digest53 } from '../match/digest';
import type { Change } from './change';

const WORDS = { tape: 'Tape', baseline: 'Baseline' } as const;

/** A recorded file that is new, gone, or no longer of its kind, as one change; `edited` says how. */
export function wholeFileChange(
  kind: 'tape' | 'baseline',
  before?: Uint8Array,
  after?: Uint8Array,
  edited = `${WORDS[kind]} of another kind`,
): Change {
  const happened = before === undefined ? 'added' : after === undefined ? 'removed' : 'edited';
  const [old, now] = [textOf(before), textOf(after)];
  return {
    id: digest53(`file ${happened}\u0000${old}\u0000${now}`).toString(36),
    kind: happened,
    subject: 'file',
    place: { path: [] },
    weight: 'behaviour',
    title: happened === 'edited' ? edited : `${WORDS[kind]} ${happened}`,
    before: old,
    after: now,
    language: 'plaintext',
    repeats: [],
    rules: [],
  };
}

function textOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : new TextDecoder().decode(bytes);
}
