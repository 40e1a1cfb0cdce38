import type { JsonPath } from '../json/jsonPath';
import type { Part, ToolCall } from '../tapes/tape';
import { type Aligned, alignSequences } from './alignSequences';
import type { ChangeSubject } from './change';
import { type Found, found, withOrigin } from './found';
import { callShape, partShape, type Spoken } from './messageShape';
import type { Normaliser } from './normaliser';
import { similarity, wordsOf } from './similarity';

/** What differs in one message or answer that is on both sides. */
export function compareSpoken(before: Spoken, after: Spoken, path: JsonPath, normaliser: Normaliser): readonly Found[] {
  const isResult = after.role === 'tool';
  return [
    ...scalar('role', [...path, 'role'], before.role, after.role),
    ...scalar('role', [...path, 'name'], before.name, after.name),
    ...scalar('error', [...path, 'isError'], before.isError, after.isError),
    ...scalar(isResult ? 'tool result' : 'text', [...path, 'content'], before.text, after.text),
    ...compareParts(before.parts, after.parts, [...path, 'parts'], normaliser),
    ...compareCalls(before.calls, after.calls, [...path, 'toolCalls'], normaliser),
    ...(before.callId === after.callId ? [] : [idChange([...path, 'toolCallId'], before.callId, after.callId)]),
  ];
}

/** A value without structure. An absent text is an empty one. */
function scalar<T extends string | boolean>(
  subject: ChangeSubject,
  path: JsonPath,
  before: T | undefined,
  after: T | undefined,
): readonly Found[] {
  if (before === after) return [];
  return [found(subject, path, before === '' ? undefined : before, after === '' ? undefined : after)];
}

/** Ids of calls are made up anew each time. What matters, which result answers which call, shows in the order. */
function idChange(path: JsonPath, before: string | undefined, after: string | undefined): Found {
  return found('id', path, before, after, { rules: ['provider-id'] });
}

function compareCalls(
  before: readonly ToolCall[],
  after: readonly ToolCall[],
  path: JsonPath,
  normaliser: Normaliser,
): readonly Found[] {
  const { pairs } = alignSequences(before, after, {
    digests: [(call) => normaliser.key(callShape(call))],
    akin: [(call) => normaliser.key(call.arguments), ({ name }) => name],
    likeness: (old, now) => callLikeness(old, now, normaliser),
    alone: (old, now) => callLikeness(old, now, normaliser) >= SAME_CALL,
    nearby: SAME_CALL,
    anywhere: () => false,
  });
  return pairs.flatMap((pair) =>
    callChanges(pair, path).map((change) => withOrigin(change, path.length, pair.beforeIndex)),
  );
}

const SAME_CALL = 0.5;

function callLikeness(before: ToolCall, after: ToolCall, normaliser: Normaliser): number {
  return similarity(wordsOf(normaliser.key(before.arguments)), wordsOf(normaliser.key(after.arguments)));
}

function callChanges(pair: Aligned<ToolCall>, path: JsonPath): readonly Found[] {
  const { before, after, moved } = pair;
  const at = [...path, pair.afterIndex ?? pair.beforeIndex ?? 0];
  const name = after?.name ?? before?.name ?? '';
  if (before === undefined || after === undefined)
    return [found('tool call', at, before && callShape(before), after && callShape(after), { name })];
  const changes: Found[] = [];
  if (moved) changes.push({ ...found('tool call', at, callShape(before), callShape(after), { name }), kind: 'moved' });
  if (before.name !== after.name) changes.push(found('tool', [...at, 'name'], before.name, after.name, { name }));
  const given = found('arguments', [...at, 'arguments'], before.arguments, after.arguments, { name });
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
): readonly Found[] {
  const { pairs } = alignSequences(before, after, {
    digests: [(part) => normaliser.key(partShape(part))],
    akin: [({ type }) => type],
    likeness: () => 0,
    alone: () => false,
    nearby: 1,
    anywhere: () => false,
  });
  return pairs.flatMap(({ before: old, after: now, beforeIndex, afterIndex, moved }) => {
    const subject = PART_SUBJECTS[now?.type ?? old?.type ?? ''] ?? 'part';
    const at = [...path, afterIndex ?? beforeIndex ?? 0];
    const change = found(subject, at, old && partShape(old), now && partShape(now));
    const signature = signatureChange(old, now, at);
    const changes = [moved ? { ...change, kind: 'moved' as const } : change, ...signature];
    return changes.map((one) => withOrigin(one, path.length, beforeIndex));
  });
}

function signatureChange(before: Part | undefined, after: Part | undefined, at: JsonPath): readonly Found[] {
  if (before?.type !== 'reasoning' || after?.type !== 'reasoning' || before.signature === after.signature) return [];
  return [found('id', [...at, 'signature'], before.signature, after.signature, { rules: ['signature'] })];
}
