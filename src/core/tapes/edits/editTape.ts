import { redactTape } from '../../secrets/redactTape';
import { applySplices, composeSplices, type Splice } from '../../text/splice';
import { detectFormat } from '../readTape';
import { type TapeFile, textFile } from '../tapeFile';
import type { EditOutcome, TapeEdit, TapeFormat } from '../tapeFormat';
import { editAnswer } from './editAnswers';
import { editInteractions } from './editInteractions';

/**
 * Changes a tape, whatever its format: the splices, and what had to follow (`content_hash`, `content-length`). The result is
 * read before it is handed out; what would change anything else than was asked for is refused.
 */
export function editTape(file: TapeFile, edit: TapeEdit): EditOutcome {
  const format = detectFormat(file);
  if (format === undefined) return { refused: 'This file is in no tape format that Tapedeck knows.' };
  const refused = whyReadOnly(format);
  if (refused !== undefined) return { refused };
  if (edit.type === 'redact') return redact(file, edit.value);
  const tape = format.read(file);
  if (tape.interactions[edit.interaction] === undefined)
    return { refused: `The tape has no interaction ${edit.interaction + 1}.` };
  switch (edit.type) {
    case 'add':
    case 'delete':
    case 'duplicate':
    case 'move':
      return editInteractions(format, file, tape, edit);
    default:
      return editAnswer(format, file, tape, edit);
  }
}

/** Several edits, one after the other, as one: all of them are made, or none. */
export function editTapeBy(file: TapeFile, edits: readonly TapeEdit[]): EditOutcome {
  let splices: readonly Splice[] = [];
  const dependents = new Set<string>();
  for (const edit of edits) {
    const text = applySplices(file.text, splices);
    const outcome = editTape({ ...textFile(text, file.path), encoding: file.encoding }, edit);
    if ('refused' in outcome) return outcome;
    splices = composeSplices(file.text, splices, outcome.splices);
    for (const dependent of outcome.dependents) dependents.add(dependent);
  }
  return { splices, dependents: [...dependents] };
}

function redact(file: TapeFile, value: string): EditOutcome {
  const outcome = redactTape(file, [value]);
  if ('refused' in outcome) return outcome;
  const { splices, dependents } = outcome;
  return splices.length === 0 ? { refused: 'This value does not stand in the tape.' } : { splices, dependents };
}

/** Why nothing of a format can be changed, as a sentence. */
export function whyReadOnly({ edit, label }: TapeFormat): string | undefined {
  return edit === undefined ? `Tapedeck only reads this format (${label}): change it where it was made.` : undefined;
}
