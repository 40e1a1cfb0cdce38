import { applySplices, composeSplices, type Splice } from '../../text/splice';
import type { TapeFile } from '../tapeFile';
import type { EditOutcome, TapeFormat } from '../tapeFormat';

type Edited = Extract<EditOutcome, { splices: unknown }>;

/** An edit with what the format computes from the rest of the file. What was wrong before is not made to look right. */
export function followUps(format: TapeFormat, file: TapeFile, edited: Edited): Edited {
  if (format.finalise === undefined) return edited;
  const wrong = new Set(format.finalise(file).map((splice) => nameOf(file.text, splice)));
  const text = applySplices(file.text, edited.splices);
  const follow = format.finalise({ ...file, text }).filter((splice) => !wrong.has(nameOf(text, splice)));
  if (follow.length === 0) return edited;
  const names = follow.map((splice) => nameOf(text, splice));
  return {
    splices: composeSplices(file.text, edited.splices, follow),
    dependents: [...new Set([...edited.dependents, ...names])],
  };
}

/** The member that a splice gives a value. */
function nameOf(text: string, { start, text: inserted }: Splice): string {
  const before = /"([\w-]+)"\s*:\s*$/.exec(text.slice(Math.max(0, start - 200), start))?.[1];
  return before ?? /^"([\w-]+)"\s*:/.exec(inserted)?.[1] ?? 'byte counts';
}
