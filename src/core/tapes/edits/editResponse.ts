import { jsonEqual } from '../../json/json';
import type { Interaction } from '../../model/interaction';
import type { Tape } from '../../model/tape';
import { t } from '../../text/l10n';
import { applySplices, composeSplices, type Splice } from '../../text/splice';
import { EDIT_REFUSALS } from '../../wire/edit/editResponse';
import { differsOnlyBy } from '../../wire/edit/responseEdit';
import type { EditOutcome, TapeFormat, TapeResponseEdit, TapeValueEdit } from '../format';
import type { TapeFile } from '../tapeFile';
import { candidateSplices } from './editDocument';

/** Changes a value of a response: with the format's own member, or else in the tree of the file. */
export function editInteractionResponse(
  format: TapeFormat,
  file: TapeFile,
  tape: Tape,
  edit: TapeResponseEdit,
): EditOutcome {
  const before = tape.interactions[edit.interaction];
  if (before === undefined) return { refused: t('There is no such interaction.') };
  const outcome = firstOutcome(format, file, before, edit);
  if ('refused' in outcome) return outcome;
  if (outcome.splices.length === 0) return outcome;
  const whole = withDependents(format, file, outcome);
  const after = format.read({ ...file, text: applySplices(file.text, whole.splices) });
  const isRight =
    hasChange(before, after.interactions[edit.interaction], edit) && othersAreUnchanged(tape, after, edit);
  return isRight
    ? whole
    : { refused: t('Tapedeck could not read the file correctly after this edit. Edit it in the text editor.') };
}

function firstOutcome(format: TapeFormat, file: TapeFile, before: Interaction, edit: TapeResponseEdit): EditOutcome {
  if (edit.type === 'response-text') return format.editText?.(file, edit) ?? { refused: t(EDIT_REFUSALS[edit.type]) };
  if (format.editValue !== undefined) return format.editValue(file, edit);
  if (edit.type === 'status') return { refused: t('This format does not record the HTTP status.') };
  const ways = candidateSplices(file, before, edit);
  const right = ways.find((splices) => {
    const after = format.read({ ...file, text: applySplices(file.text, splices) });
    return hasChange(before, after.interactions[edit.interaction], edit);
  });
  return right === undefined
    ? { refused: t(EDIT_REFUSALS[edit.type]) }
    : { splices: right, dependents: usageDependents(edit) };
}

function usageDependents(edit: TapeValueEdit): string[] {
  return edit.type === 'usage' ? [t('total tokens')] : [];
}

function hasChange(before: Interaction, after: Interaction | undefined, edit: TapeResponseEdit): boolean {
  if (after === undefined) return false;
  if (edit.type === 'status') return after.http?.status === edit.status;
  if (edit.type === 'response-text') return after.response?.content === edit.text;
  return (
    before.response !== undefined &&
    differsOnlyBy(before.response, after.response, edit) &&
    jsonEqual(before.request, after.request)
  );
}

/** The other interactions and the number of problems, which an edit must not change. */
function othersAreUnchanged(before: Tape, after: Tape, { interaction }: TapeResponseEdit): boolean {
  if (before.interactions.length !== after.interactions.length || errorCount(after) > errorCount(before)) return false;
  return before.interactions.every(
    (one, index) => index === interaction || isSameContent(one, after.interactions[index]),
  );
}

export function errorCount({ problems }: Tape): number {
  return problems.filter(({ severity }) => severity === 'error').length;
}

/** An interaction without its position and id. */
function isSameContent(left: Interaction, right: Interaction | undefined): boolean {
  if (right === undefined) return false;
  const { index: _i, source: _s, id: _d, ...one } = left;
  const { index: _j, source: _t, id: _e, ...other } = right;
  return jsonEqual(one, other);
}

type EditSplices = Extract<EditOutcome, { splices: unknown }>;

/**
 * The edit, with the values that the format computes from the rest of the file. A value that was wrong before stays
 * wrong.
 */
export function withDependents(format: TapeFormat, file: TapeFile, edited: EditSplices): EditSplices {
  if (format.finalise === undefined) return edited;
  const wrong = new Set(format.finalise(file).map((splice) => memberName(file.text, splice)));
  const text = applySplices(file.text, edited.splices);
  const follow = format.finalise({ ...file, text }).filter((splice) => !wrong.has(memberName(text, splice)));
  if (follow.length === 0) return edited;
  const names = follow.map((splice) => memberName(text, splice));
  return {
    splices: composeSplices(file.text, edited.splices, follow),
    dependents: [...new Set([...edited.dependents, ...names])],
  };
}

/** The member whose value a splice replaces. */
function memberName(text: string, { start, text: inserted }: Splice): string {
  const before = /"([\w-]+)"\s*:\s*$/.exec(text.slice(Math.max(0, start - 200), start))?.[1];
  return before ?? /^"([\w-]+)"\s*:/.exec(inserted)?.[1] ?? t('byte counts');
}
