import { jsonEqual } from '../../json/json';
import type { JsonNode } from '../../json/jsonDocument';
import { applySplices, composeSplices, type Splice } from '../../text/splice';
import type { Interaction, Tape } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { EditOutcome, ListEdit, RecordedInteraction, TapeFormat } from '../tapeFormat';
import { followUps } from './dependents';
import { errorsOf } from './editAnswers';
import { emptyBlock } from './emptyBlock';
import { emptyInteraction } from './emptyInteraction';
import { interactionList } from './interactionList';
import { listSplices } from './listSplices';
import { numberingsOf, renumber } from './numbering';
import { reordered } from './reordered';

/** In some formats the request is told by the place in the list. */
function isSameRecording(left: RecordedInteraction, right: Interaction | undefined): boolean {
  return (
    right !== undefined &&
    left.kind === right.kind &&
    jsonEqual([left.http, left.response], [right.http, right.response])
  );
}

/** Changes which interactions a tape has, and in which order. */
export function editInteractions(format: TapeFormat, file: TapeFile, tape: Tape, edit: ListEdit): EditOutcome {
  if (edit.type === 'add') return addInteraction(format, file, tape, edit);
  const outcome = format.editList?.(file, edit) ?? editListOf(format, file, tape, edit);
  if ('refused' in outcome) return outcome;
  const after = format.read({ ...file, text: applySplices(file.text, outcome.splices) });
  return areSame(reordered(tape.interactions, edit), after.interactions) ? outcome : { refused: DEPENDING };
}

const DEPENDING = 'Other interactions depend on this one: change the file in the text editor.';

/** The others stay what they are, and the new one says nothing. */
function addInteraction(format: TapeFormat, file: TapeFile, tape: Tape, edit: ListEdit): EditOutcome {
  const like = tape.interactions[edit.interaction];
  const isKnown = format.emptyItem !== undefined || (like !== undefined && emptyInteraction(like) !== undefined);
  if (!isKnown) return { refused: NOTHING_EMPTY };
  const outcome = format.editList?.(file, edit) ?? editListOf(format, file, tape, edit);
  if ('refused' in outcome) return outcome;
  const after = format.read({ ...file, text: applySplices(file.text, outcome.splices) });
  const others = [...after.interactions];
  const [added] = others.splice(edit.interaction + 1, 1);
  const isRight = isEmpty(added) && areSame(tape.interactions, others) && errorsOf(after) <= errorsOf(tape);
  return isRight ? outcome : { refused: DEPENDING };
}

const NOTHING_EMPTY = 'There is no empty interaction of this kind: duplicate this one, and change it.';

function isEmpty(added: Interaction | undefined): boolean {
  return added !== undefined && !added.response?.content && (added.response?.toolCalls.length ?? 0) === 0;
}

function areSame(expected: readonly RecordedInteraction[], found: readonly Interaction[]): boolean {
  return (
    expected.length === found.length &&
    expected.every((interaction, index) => isSameRecording(interaction, found[index]))
  );
}

function editListOf(format: TapeFormat, file: TapeFile, tape: Tape, edit: ListEdit): EditOutcome {
  const list = interactionList(file.text, tape, edit.interaction);
  const own = tape.interactions[edit.interaction];
  const source = own?.source;
  const item = list?.blocks.findIndex(({ start, end }) => source && start <= source.start && end > source.start) ?? -1;
  if (own === undefined || list === undefined || item === -1)
    return { refused: 'In this file the interactions are no list: change them in the text editor.' };
  const added = edit.type === 'add' ? emptyBlock(format, file, list, own) : '';
  if (added === undefined) return { refused: NOTHING_EMPTY };
  const splices = listSplices(file.text, list, item, edit, added);
  if (splices === undefined) return { refused: 'There is no other interaction to change places with.' };
  return followUps(format, file, withNumbers(format, file, list.nodes, splices, edit));
}

/** Entries that were numbered in their order stay so. */
function withNumbers(
  format: TapeFormat,
  file: TapeFile,
  entries: readonly JsonNode[],
  splices: readonly Splice[],
  edit: ListEdit,
): Extract<EditOutcome, { splices: unknown }> {
  const numberings = numberingsOf(entries);
  const text = applySplices(file.text, splices);
  const after = numberings.length === 0 ? undefined : format.read({ ...file, text });
  const first = after && interactionList(text, after, Math.min(edit.interaction, after.interactions.length - 1));
  const renumbered = numberings.map((numbering) => ({
    ...numbering,
    splices: renumber(first?.nodes ?? [], numbering),
  }));
  const changed = renumbered.filter((one) => one.splices.length > 0);
  return {
    splices: composeSplices(
      file.text,
      splices,
      changed.flatMap((one) => one.splices),
    ),
    dependents: changed.map(({ name }) => name),
  };
}
