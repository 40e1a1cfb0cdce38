import type { TapeFile } from '../tapeFile';
import type { AnswerEdit, EditOutcome, TapeFormat } from '../tapeFormat';

/** The edits of a format that records HTTP: everything that can be changed stands in the exchange. */
export function httpEdits(
  edit: (file: TapeFile, edit: AnswerEdit) => EditOutcome,
): Required<Pick<TapeFormat, 'edit' | 'editValue'>> {
  return { edit, editValue: edit };
}
