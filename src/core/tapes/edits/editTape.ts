import { t } from '../../text/l10n';
import { applySplices, composeSplices, type Splice } from '../../text/splice';
import type { EditOutcome, TapeEdit, TapeFormat } from '../format';
import { isNotRead } from '../notRead';
import { detectFormat } from '../readTape';
import { type TapeFile, tapeFileFromText } from '../tapeFile';
import { editInteractions } from './editInteractions';
import { editInteractionResponse } from './editResponse';

/**
 * Redacts a value in a whole tape. A parameter, because `redactValue` is in `core/secrets`, which imports this folder.
 */
type RedactValue = (file: TapeFile, value: string) => EditOutcome;

/**
 * Edits a tape of any format: returns the splices and the dependent values (`content_hash`, `content-length`). The
 * result is verified by reading it; an edit that would change anything else is refused.
 */
export function editTape(file: TapeFile, edit: TapeEdit, redact: RedactValue): EditOutcome {
  const format = detectFormat(file);
  if (format === undefined) return { refused: t('This file is not in a tape format that Tapedeck supports.') };
  const refused = readOnlyReason(format);
  if (refused !== undefined) return { refused };
  if (edit.type === 'redact') return redact(file, edit.value);
  const tape = format.read(file);
  const unread = tape.problems.find(isNotRead);
  if (unread !== undefined)
    return { refused: t('This tape cannot be edited, because not all of it could be read: {0}.', unread.message) };
  if (tape.interactions[edit.interaction] === undefined)
    return { refused: t('The tape has no interaction {0}.', edit.interaction + 1) };
  switch (edit.type) {
    case 'add':
    case 'delete':
    case 'duplicate':
    case 'move':
      return editInteractions(format, file, tape, edit);
    default:
      return editInteractionResponse(format, file, tape, edit);
  }
}

/** Applies several edits in order, as one: all of them or none. */
export function applyTapeEdits(file: TapeFile, edits: readonly TapeEdit[], redact: RedactValue): EditOutcome {
  let splices: readonly Splice[] = [];
  const dependents = new Set<string>();
  for (const edit of edits) {
    const text = applySplices(file.text, splices);
    const outcome = editTape({ ...tapeFileFromText(text, file.path), encoding: file.encoding }, edit, redact);
    if ('refused' in outcome) return outcome;
    splices = composeSplices(file.text, splices, outcome.splices);
    for (const dependent of outcome.dependents) dependents.add(dependent);
  }
  return { splices, dependents: [...dependents] };
}

/** Why a format cannot be edited, as a sentence; undefined if it can. */
export function readOnlyReason({ editText, label }: TapeFormat): string | undefined {
  return editText === undefined
    ? t('Tapedeck can only read this format ({0}). Change the file with the tool that created it.', label)
    : undefined;
}
