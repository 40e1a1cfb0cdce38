import { reordered } from '../edits/reordered';
import type { Tape } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { EditOutcome, ListEdit, RecordedInteraction } from '../tapeFormat';

/**
 * Changes the list of interactions of a tape that says nothing twice: what stood in one that goes, or that comes later
 * now, is told by the next that says it. So the tape is written anew, and the lines that are as before stay.
 */
export function editTapedeckList(
  { text }: TapeFile,
  { name = '', interactions }: Tape,
  edit: ListEdit,
  serialise: (name: string, interactions: readonly RecordedInteraction[]) => string,
): EditOutcome {
  const target = edit.interaction + (edit.type === 'move' ? edit.by : 0);
  if (interactions[target] === undefined) return { refused: 'There is no other interaction to change places with.' };
  const write = (list: readonly RecordedInteraction[]): string => serialise(name, list);
  if (write(interactions) !== text)
    return { refused: 'This tape is not laid out as Tapedeck writes one: change its order in the text editor.' };
  return { splices: [difference(text, write(reordered(interactions, edit)))], dependents: [] };
}

/** The one splice between two texts: whole lines. */
function difference(before: string, after: string): { start: number; end: number; text: string } {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  start = before.lastIndexOf('\n', start - 1) + 1;
  let tail = 0;
  const room = Math.min(before.length, after.length) - start;
  while (tail < room && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const line = before.indexOf('\n', before.length - tail);
  const end = tail === 0 || line === -1 ? before.length : line + 1;
  return { start, end, text: after.slice(start, after.length - (before.length - end)) };
}
