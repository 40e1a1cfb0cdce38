import { jsonEqual } from '../../json/json';
import type { JsonNode } from '../../json/jsonDocument';
import { applySplices, composeSplices, type Splice } from '../../text/splice';
import type { Interaction, Tape } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { EditOutcome, ListEdit, TapeFormat } from '../tapeFormat';
import { followUps } from './dependents';
import { interactionList } from './interactionList';
import { listSplices } from './listSplices';
import { numberingsOf, renumber } from './numbering';
import { reordered } from './reordered';

/** In some formats the request is told by the place in the list. */
function isSameRecording(left: Interaction, right: Interaction | undefined): boolean {
  return left.kind === right?.kind && jsonEqual([left.http, left.response], [right.http, right.response]);
}

/** Changes which interactions a tape has, and in which order. */
export function editInteractions(format: TapeFormat, file: TapeFile, tape: Tape, edit: ListEdit): EditOutcome {
  const outcome = format.editList?.(file, edit) ?? editListOf(format, file, tape, edit);
  if ('refused' in outcome) return outcome;
  const after = format.read({ ...file, text: applySplices(file.text, outcome.splices) });
  const expected = reordered(tape.interactions, edit);
  const isRight =
    after.interactions.length === expected.length &&
    expected.every((interaction, index) => isSameRecording(interaction, after.interactions[index]));
  return isRight ? outcome : { refused: 'Other interactions depend on this one: change the file in the text editor.' };
}

function editListOf(format: TapeFormat, file: TapeFile, tape: Tape, edit: ListEdit): EditOutcome {
  const list = interactionList(file.text, tape, edit.interaction);
  const source = tape.interactions[edit.interaction]?.source;
  const item = list?.blocks.findIndex(({ start, end }) => source && start <= source.start && end > source.start) ?? -1;
  if (list === undefined || item === -1)
    return { refused: 'In this file the interactions are no list: change their order in the text editor.' };
  const splices = listSplices(file.text, list, item, edit);
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
