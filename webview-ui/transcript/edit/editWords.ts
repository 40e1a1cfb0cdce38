import type { TapeEdit } from '../../../src/core/tapes/format';

/** What was done, and what had to follow. */
export function doneText(edits: readonly TapeEdit[], dependents: readonly string[]): string {
  const [first] = edits;
  const done = first === undefined ? '' : DONE[first.type](first);
  return dependents.length === 0 ? `${done}.` : `${done}. Also changed: ${dependents.join(', ')}.`;
}

type Words = { readonly [T in TapeEdit['type']]: (edit: TapeEdit) => string };

const changed = (edit: TapeEdit): string => `Changed the answer of interaction ${numberOf(edit)}`;

const DONE: Words = {
  'response-text': changed,
  reasoning: changed,
  arguments: changed,
  usage: changed,
  status: changed,
  delete: (edit) => `Deleted interaction ${numberOf(edit)}; undo brings it back`,
  duplicate: (edit) => `Duplicated interaction ${numberOf(edit)}`,
  add: (edit) => `Added interaction ${numberOf(edit) + 1}: type its answer here, and press e for its request`,
  move: (edit) => `Moved interaction ${numberOf(edit)} ${edit.type === 'move' && edit.by < 0 ? 'up' : 'down'}`,
  redact: () => 'A placeholder stands for the value everywhere in this tape',
};

function numberOf(edit: TapeEdit): number {
  return 'interaction' in edit ? edit.interaction + 1 : 0;
}
