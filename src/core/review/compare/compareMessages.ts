import type { AlignedPair } from '../../diff/alignment';
import { alignSequences } from '../../diff/alignSequences';
import { countWords, diceSimilarity, type ItemCounts } from '../../diff/similarity';
import { jsonEqual } from '../../json/json';
import type { JsonPath } from '../../json/jsonPath';
import type { ChangeSubject } from '../../model/change';
import type { Message, Part, ToolCall } from '../../model/message';
import { type Difference, differenceOf, ORDER_OF_PARTS, withOrigin } from './difference';
import { type EarlierPlace, placeName, withPlaces } from './earlierPlaces';
import { type ComparedMessage, callShape, contentShape, messageContent, partShape } from './interactionShape';
import type { Normaliser } from './normaliser';

/** The differences between the messages of a request: added, removed and moved messages, and edits of the others. */
export function compareMessages(
  before: readonly Message[],
  after: readonly Message[],
  path: JsonPath,
  normaliser: Normaliser,
): readonly Difference[] {
  const words = memoisedCompare((message) => countWords(normaliser.key(contentShape(messageContent(message)))));
  const { pairs } = alignSequences(before, after, {
    same: jsonEqual,
    digests: [(message) => normaliser.key(contentShape(messageContent(message)))],
    similarity: (old, now) => (old.role === now.role ? messageSimilarity(words(old), words(now)) : 0),
    isEditedAlone: (old, now) => old.role === now.role,
    minSimilarity: MIN_SIMILARITY,
    isEditedElsewhere: () => false,
  });
  return withPlaces(pairs).flatMap(([pair, place]) => {
    if (!pair.moved && jsonEqual(pair.before, pair.after)) return [];
    return placed(messageChanges(pair, path, normaliser), path.length, place);
  });
}

function messageChanges(pair: AlignedPair<Message>, path: JsonPath, normaliser: Normaliser): readonly Difference[] {
  const at = [...path, pair.afterIndex ?? pair.beforeIndex ?? 0];
  const old = pair.before && messageContent(pair.before);
  const now = pair.after && messageContent(pair.after);
  const name = now?.role ?? old?.role ?? '';
  if (old === undefined || now === undefined)
    return [differenceOf('message', at, old && contentShape(old), now && contentShape(now), { name })];
  const edits = compareContent(old, now, at, normaliser).map((edit) => asGiven(edit, name));
  const whole = differenceOf('message', at, contentShape(old), contentShape(now), { name });
  return pair.moved ? [{ ...whole, kind: 'moved' as const }, ...edits] : edits;
}

function placed(changes: readonly Difference[], depth: number, place: EarlierPlace): readonly Difference[] {
  const origin = typeof place === 'number' ? place : placeName(place);
  return changes.map((change) => withOrigin(change, depth, origin));
}

/** What the assistant said is repeated in requests; everything else in them was given to the model. */
function asGiven(edit: Difference, role: string): Difference {
  return role === 'assistant' ? edit : { ...edit, given: 'context' };
}

const MIN_SIMILARITY = 0.1;

/** At least `MIN_SIMILARITY`: messages in the same gap with the same role need little in common. */
function messageSimilarity(before: ItemCounts, after: ItemCounts): number {
  return MIN_SIMILARITY + (1 - MIN_SIMILARITY) * diceSimilarity(before, after);
}

function memoisedCompare(read: (message: Message) => ItemCounts): (message: Message) => ItemCounts {
  const known = new Map<Message, ItemCounts>();
  return (message) => {
    const words = known.get(message) ?? read(message);
    known.set(message, words);
    return words;
  };
}

/** The differences between two versions of a message or response. */
export function compareContent(
  before: ComparedMessage,
  after: ComparedMessage,
  path: JsonPath,
  normaliser: Normaliser,
): readonly Difference[] {
  const isResult = after.role === 'tool';
  return [
    ...scalar('role', [...path, 'role'], before.role, after.role),
    ...scalar('name', [...path, 'name'], before.name, after.name),
    ...scalar('error', [...path, 'isError'], before.isError, after.isError),
    ...scalar(isResult ? 'tool result' : 'text', [...path, 'content'], before.text, after.text),
    ...compareParts(before.parts, after.parts, [...path, 'parts'], normaliser),
    ...compareLayout(before, after, [...path, 'parts']),
    ...compareCalls(before.calls, after.calls, [...path, 'toolCalls'], normaliser),
    ...(before.callId === after.callId ? [] : [idChange([...path, 'toolCallId'], before.callId, after.callId)]),
  ];
}

/** How text and other parts follow each other. The lengths of texts only count where the text is the same. */
function compareLayout(before: ComparedMessage, after: ComparedMessage, path: JsonPath): readonly Difference[] {
  const layoutOf = ({ layout, text }: ComparedMessage) => layout ?? (text === '' ? [] : [`text ${text.length}`]);
  const isSameText = before.text === after.text;
  const [old, now] = [layoutOf(before), layoutOf(after)].map((layout) =>
    layout.map((kind) => (isSameText ? kind : kind.replace(/ .*/, ''))),
  );
  const others = (layout: readonly string[] = []) => layout.filter((kind) => !kind.startsWith('text')).sort();
  const isComparable = (before.layout ?? after.layout) !== undefined && after.role !== undefined;
  if (!isComparable || jsonEqual(old, now) || !jsonEqual(others(old), others(now))) return [];
  return [differenceOf('part', path, old, now, { name: ORDER_OF_PARTS })];
}

/** A value without structure. Absent and empty text are equal. */
function scalar<T extends string | boolean>(
  subject: ChangeSubject,
  path: JsonPath,
  before: T | undefined,
  after: T | undefined,
): readonly Difference[] {
  if (before === after) return [];
  return [differenceOf(subject, path, before === '' ? undefined : before, after === '' ? undefined : after)];
}

/** Ids of calls are generated each time. Which result belongs to which call shows in the order. */
function idChange(path: JsonPath, before: string | undefined, after: string | undefined): Difference {
  return differenceOf('id', path, before, after, { rules: ['provider-id'] });
}

function compareCalls(
  before: readonly ToolCall[],
  after: readonly ToolCall[],
  path: JsonPath,
  normaliser: Normaliser,
): readonly Difference[] {
  const { pairs } = alignSequences(before, after, {
    digests: [(call) => normaliser.key(callShape(call))],
    sameKind: [(call) => normaliser.key(call.arguments), ({ name }) => name],
    similarity: (old, now) => callSimilarity(old, now, normaliser),
    isEditedAlone: (old, now) => callSimilarity(old, now, normaliser) >= SAME_CALL,
    minSimilarity: SAME_CALL,
    isEditedElsewhere: () => false,
  });
  return withPlaces(pairs).flatMap(([pair, place]) => placed(callChanges(pair, path), path.length, place));
}

const SAME_CALL = 0.5;

function callSimilarity(before: ToolCall, after: ToolCall, normaliser: Normaliser): number {
  return diceSimilarity(countWords(normaliser.key(before.arguments)), countWords(normaliser.key(after.arguments)));
}

function callChanges(pair: AlignedPair<ToolCall>, path: JsonPath): readonly Difference[] {
  const { before, after, moved } = pair;
  const at = [...path, pair.afterIndex ?? pair.beforeIndex ?? 0];
  const name = after?.name ?? before?.name ?? '';
  if (before === undefined || after === undefined)
    return [differenceOf('tool call', at, before && callShape(before), after && callShape(after), { name })];
  const changes: Difference[] = [];
  if (moved)
    changes.push({ ...differenceOf('tool call', at, callShape(before), callShape(after), { name }), kind: 'moved' });
  if (before.name !== after.name)
    changes.push(differenceOf('tool', [...at, 'name'], before.name, after.name, { name }));
  const given = differenceOf('arguments', [...at, 'arguments'], before.arguments, after.arguments, { name });
  return [...changes, given, ...(before.id === after.id ? [] : [idChange([...at, 'id'], before.id, after.id)])];
}

const PART_SUBJECTS: Readonly<Record<string, ChangeSubject>> = {
  reasoning: 'reasoning',
  refusal: 'text',
  image: 'media',
  audio: 'media',
  file: 'media',
};

function compareParts(
  before: readonly Part[],
  after: readonly Part[],
  path: JsonPath,
  normaliser: Normaliser,
): readonly Difference[] {
  const { pairs } = alignSequences(before, after, {
    digests: [(part) => normaliser.key(partShape(part))],
    sameKind: [({ type }) => type],
    similarity: () => 0,
    isEditedAlone: () => false,
    minSimilarity: 1,
    isEditedElsewhere: () => false,
  });
  return withPlaces(pairs).flatMap(([{ before: old, after: now, beforeIndex, afterIndex, moved }, place]) => {
    const subject = PART_SUBJECTS[now?.type ?? old?.type ?? ''] ?? 'part';
    const at = [...path, afterIndex ?? beforeIndex ?? 0];
    const isWire = ['server_tool', 'unknown'].includes(now?.type ?? old?.type ?? '');
    const name = now?.type ?? old?.type ?? '';
    const change = differenceOf(subject, at, old && partShape(old), now && partShape(now), { name, isWire });
    const signature = signatureChange(old, now, at);
    const changes = [moved ? { ...change, kind: 'moved' as const } : change, ...signature];
    return placed(changes, path.length, place);
  });
}

function signatureChange(before: Part | undefined, after: Part | undefined, at: JsonPath): readonly Difference[] {
  if (before?.type !== 'reasoning' || after?.type !== 'reasoning' || before.signature === after.signature) return [];
  return [differenceOf('id', [...at, 'signature'], before.signature, after.signature, { rules: ['signature'] })];
}
