import { jsonEqual } from '../../json/json';
import type { JsonNode } from '../../json/jsonNode';
import { member } from '../../json/readJson';
import type { Interaction, RecordedInteraction } from '../../model/interaction';
import type { Tape } from '../../model/tape';
import { message, t } from '../../text/l10n';
import { applySplices, composeSplices, type Splice } from '../../text/splice';
import type { EditOutcome, ListEdit, TapeEdit, TapeFormat } from '../format';
import { emptyInteraction, emptyItemText } from '../interactionList/emptyInteraction';
import { interactionList } from '../interactionList/interactionList';
import { listSplices, reorderInteractions } from '../interactionList/listEdits';
import { isNotRead } from '../notRead';
import { detectFormat } from '../readTape';
import { type TapeFile, tapeFileFromText } from '../tapeFile';
import { editInteractionResponse, errorCount, withDependents } from './editResponse';

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

/** Formats that identify a request by its position in the list. */
function isSameRecording(left: RecordedInteraction, right: Interaction | undefined): boolean {
  return (
    right !== undefined &&
    left.kind === right.kind &&
    jsonEqual([left.http, left.response], [right.http, right.response])
  );
}

/** Deletes, duplicates, adds or moves an interaction. */
function editInteractions(format: TapeFormat, file: TapeFile, tape: Tape, edit: ListEdit): EditOutcome {
  if (edit.type === 'add') return addInteraction(format, file, tape, edit);
  const outcome = format.editList?.(file, edit) ?? editDocumentList(format, file, tape, edit);
  if ('refused' in outcome) return outcome;
  const after = format.read({ ...file, text: applySplices(file.text, outcome.splices) });
  return areSameRecordings(reorderInteractions(tape.interactions, edit), after.interactions)
    ? outcome
    : { refused: t(REFUSED_DEPENDENTS) };
}

const REFUSED_DEPENDENTS = message('Other interactions depend on this one. Edit the file in the text editor.');

/** The other interactions must stay the same, and the new one must be empty. */
function addInteraction(format: TapeFormat, file: TapeFile, tape: Tape, edit: ListEdit): EditOutcome {
  const like = tape.interactions[edit.interaction];
  const isKnown = format.emptyItem !== undefined || (like !== undefined && emptyInteraction(like) !== undefined);
  if (!isKnown) return { refused: t(REFUSED_NO_EMPTY) };
  const outcome = format.editList?.(file, edit) ?? editDocumentList(format, file, tape, edit);
  if ('refused' in outcome) return outcome;
  const after = format.read({ ...file, text: applySplices(file.text, outcome.splices) });
  const others = [...after.interactions];
  const [added] = others.splice(edit.interaction + 1, 1);
  const isRight =
    isEmpty(added) && areSameRecordings(tape.interactions, others) && errorCount(after) <= errorCount(tape);
  return isRight ? outcome : { refused: t(REFUSED_DEPENDENTS) };
}

const REFUSED_NO_EMPTY = message(
  'Tapedeck cannot create an empty interaction of this kind. Duplicate this one and edit it.',
);

function isEmpty(added: Interaction | undefined): boolean {
  return added !== undefined && !added.response?.content && (added.response?.toolCalls.length ?? 0) === 0;
}

function areSameRecordings(expected: readonly RecordedInteraction[], found: readonly Interaction[]): boolean {
  return (
    expected.length === found.length &&
    expected.every((interaction, index) => isSameRecording(interaction, found[index]))
  );
}

function editDocumentList(format: TapeFormat, file: TapeFile, tape: Tape, edit: ListEdit): EditOutcome {
  const list = interactionList(file.text, tape, edit.interaction, format);
  const own = tape.interactions[edit.interaction];
  const source = own?.source;
  const item = list?.blocks.findIndex(({ start, end }) => source && start <= source.start && end > source.start) ?? -1;
  if (own === undefined || list === undefined || item === -1)
    return { refused: t('The interactions of this file are not a list. Change them in the text editor.') };
  const added = edit.type === 'add' ? emptyItemText(format, file, list, own) : '';
  if (added === undefined) return { refused: t(REFUSED_NO_EMPTY) };
  const splices = listSplices(file.text, list, item, edit, added);
  if (splices === undefined) return { refused: t('There is no other interaction to swap this one with.') };
  return withDependents(format, file, withNumbers(format, file, list.nodes, splices, edit));
}

/** Renumbers entries that were numbered in order. */
function withNumbers(
  format: TapeFormat,
  file: TapeFile,
  entries: readonly JsonNode[],
  splices: readonly Splice[],
  edit: ListEdit,
): Extract<EditOutcome, { splices: unknown }> {
  const numberings = findNumberings(entries);
  const text = applySplices(file.text, splices);
  const after = numberings.length === 0 ? undefined : format.read({ ...file, text });
  const first =
    after && interactionList(text, after, Math.min(edit.interaction, after.interactions.length - 1), format);
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

/** The members with which recorders number their entries. */
const NUMBERING_KEYS: readonly string[] = ['id', 'index', 'sequence', 'seq', 'order', 'number', 'step', 'turn'];

/** A member that numbers all entries of a list in order, with the number of the first. */
interface Numbering {
  readonly name: string;
  readonly first: number;
}

/** The numberings that hold for all entries. A single entry is no evidence, unless it begins at 0 or 1. */
function findNumberings(entries: readonly JsonNode[]): Numbering[] {
  return NUMBERING_KEYS.flatMap((name) => {
    const numbers = entries.map((entry) => wholeNumber(member(entry, name)));
    const [first] = numbers;
    if (first === undefined || (entries.length === 1 && first > 1)) return [];
    return numbers.every((number, index) => number === first + index) ? [{ name, first }] : [];
  });
}

function wholeNumber(node: JsonNode | undefined): number | undefined {
  return node?.type === 'number' && /^\d{1,9}$/.test(node.lexeme) ? Number(node.lexeme) : undefined;
}

/** Splices that make a numbering consistent again. */
function renumber(entries: readonly JsonNode[], { name, first }: Numbering): Splice[] {
  return entries.flatMap((entry, index) => {
    const node = member(entry, name);
    const number = `${first + index}`;
    if (node?.type !== 'number' || node.lexeme === number) return [];
    return [{ start: node.start, end: node.end, text: number }];
  });
}
