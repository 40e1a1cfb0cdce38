import { jsonEqual } from '../../json/json';
import { applySplices } from '../../text/splice';
import { isChanged } from '../../wire/answerChange';
import { REFUSALS } from '../../wire/editAnswer';
import type { Interaction, Tape } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { AnswerEdit, EditOutcome, TapeFormat, ValueEdit } from '../tapeFormat';
import { followUps } from './dependents';
import { waysInDocument } from './editDocument';

/** Changes a value of an answer: as the format knows how to, or where the value stands in the tree of the file. */
export function editAnswer(format: TapeFormat, file: TapeFile, tape: Tape, edit: AnswerEdit): EditOutcome {
  const before = tape.interactions[edit.interaction];
  if (before === undefined) return { refused: 'There is no such interaction.' };
  const outcome = firstOutcome(format, file, before, edit);
  if ('refused' in outcome) return outcome;
  if (outcome.splices.length === 0) return outcome;
  const whole = followUps(format, file, outcome);
  const after = format.read({ ...file, text: applySplices(file.text, whole.splices) });
  const isRight = isEdited(before, after.interactions[edit.interaction], edit) && isSameBeside(tape, after, edit);
  return isRight
    ? whole
    : { refused: 'The file would read as something else after this edit: change it in the text editor.' };
}

function firstOutcome(format: TapeFormat, file: TapeFile, before: Interaction, edit: AnswerEdit): EditOutcome {
  if (edit.type === 'response-text') return format.edit?.(file, edit) ?? { refused: REFUSALS[edit.type] };
  if (format.editValue !== undefined) return format.editValue(file, edit);
  if (edit.type === 'status') return { refused: 'This format records no status of HTTP.' };
  const ways = waysInDocument(file, before, edit);
  const right = ways.find((splices) => {
    const after = format.read({ ...file, text: applySplices(file.text, splices) });
    return isEdited(before, after.interactions[edit.interaction], edit);
  });
  return right === undefined ? { refused: REFUSALS[edit.type] } : { splices: right, dependents: totals(edit) };
}

function totals(edit: ValueEdit): string[] {
  return edit.type === 'usage' ? ['total tokens'] : [];
}

function isEdited(before: Interaction, after: Interaction | undefined, edit: AnswerEdit): boolean {
  if (after === undefined) return false;
  if (edit.type === 'status') return after.http?.status === edit.status;
  if (edit.type === 'response-text') return after.response?.content === edit.text;
  return (
    before.response !== undefined &&
    isChanged(before.response, after.response, edit) &&
    jsonEqual(before.request, after.request)
  );
}

/** The other interactions, and how many problems there are. */
function isSameBeside(before: Tape, after: Tape, { interaction }: AnswerEdit): boolean {
  if (before.interactions.length !== after.interactions.length || errorsOf(after) > errorsOf(before)) return false;
  return before.interactions.every((one, index) => index === interaction || isSame(one, after.interactions[index]));
}

export function errorsOf({ problems }: Tape): number {
  return problems.filter(({ severity }) => severity === 'error').length;
}

/** But for its place and for what it is called by. */
function isSame(left: Interaction, right: Interaction | undefined): boolean {
  if (right === undefined) return false;
  const { index: _i, source: _s, id: _d, ...one } = left;
  const { index: _j, source: _t, id: _e, ...other } = right;
  return jsonEqual(one, other);
}
