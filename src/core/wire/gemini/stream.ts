import { asList, asRecord, asRecords, asString, isBlank, omitKeys, omitUndefined } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import type { StreamEvent } from '../protocol';
import { camelOrSnake } from './parts';

/** Joins the pieces of a streamed response, each of which is a response with some of the parts. */
export function joinCandidates(events: readonly StreamEvent[]): JsonRecord {
  const others = new Map<string, Json>();
  const candidates = new Map<Json, CandidateBuilder>();
  for (const { json } of events) {
    for (const [key, value] of Object.entries(json))
      if (key !== 'candidates' && !isBlank(value)) others.set(key, value);
    for (const piece of asRecords(json.candidates)) {
      const index = piece.index ?? 0;
      const candidate = candidates.get(index) ?? new CandidateBuilder();
      candidates.set(index, candidate);
      candidate.add(piece);
    }
  }
  return { ...Object.fromEntries(others), candidates: [...candidates.values()].map((candidate) => candidate.build()) };
}

class CandidateBuilder {
  readonly #others = new Map<string, Json>();
  #content: JsonRecord = {};
  readonly #parts: PartialPart[] = [];

  add(piece: JsonRecord): void {
    for (const [key, value] of Object.entries(piece))
      if (key !== 'content' && !isBlank(value)) this.#others.set(key, value);
    const content = asRecord(piece.content);
    this.#content = { ...this.#content, ...content };
    for (const part of asList(content.parts)) this.#add(part);
  }

  build(): JsonRecord {
    const parts = this.#parts.map(wholePart);
    return { ...Object.fromEntries(this.#others), content: { ...this.#content, parts } };
  }

  #add(part: Json): void {
    const call = functionCallIn(part);
    if (call === undefined) this.#addPart(part);
    else this.#addCall(part, call);
  }

  /** A call without a name and arguments continues the call before it. */
  #addCall(part: Json, piece: JsonRecord): void {
    const last = this.#parts.at(-1);
    const continues = last?.call !== undefined && isBlank(piece.name) && isBlank(piece.args);
    const partial = continues ? last : { raw: {}, text: undefined, call: new FunctionCallBuilder() };
    partial.raw = { ...asRecord(partial.raw), ...omitKeys(asRecord(part), 'functionCall', 'function_call') };
    partial.call?.add(piece);
    if (!continues) this.#parts.push(partial);
  }

  /** A text continues the text before it, if both or neither are thoughts. */
  #addPart(part: Json): void {
    const last = this.#parts.at(-1);
    const text = asString(asRecord(part).text);
    if (text !== undefined && last?.text !== undefined && continuesText(asRecord(last.raw), asRecord(part))) {
      last.text += text;
      last.raw = { ...asRecord(last.raw), ...asRecord(part) };
    } else if (!isRecord(part) || text === undefined) this.#parts.push({ raw: part, text: undefined });
    else this.#parts.push({ raw: part, text });
  }
}

interface PartialPart {
  raw: Json;
  text: string | undefined;
  readonly call?: FunctionCallBuilder;
}

function wholePart({ raw, text, call }: PartialPart): Json {
  if (call !== undefined) return { ...asRecord(raw), functionCall: call.build() };
  return text === undefined ? raw : { ...asRecord(raw), text };
}

function continuesText(last: JsonRecord, next: JsonRecord): boolean {
  return (last.thought === true) === (next.thought === true);
}

/** The function call in a part. */
function functionCallIn(part: Json): JsonRecord | undefined {
  const call = camelOrSnake(asRecord(part), 'functionCall');
  return isRecord(call) ? call : undefined;
}

/**
 * Joins a streamed call. It comes in one piece or, with Vertex's `streamFunctionCallArguments`, starts with its name
 * and continues in parts without one, whose `partialArgs` set the arguments value by value, and strings piece by piece.
 */
class FunctionCallBuilder {
  #call: JsonRecord = {};
  #arguments: Branch | undefined;

  add(call: JsonRecord): void {
    this.#call = { ...this.#call, ...omitKeys(call, ...STREAMING_MEMBERS) };
    for (const piece of asRecords(camelOrSnake(call, 'partialArgs'))) {
      this.#arguments ??= new Map();
      putPiece(this.#arguments, piece);
    }
  }

  build(): JsonRecord {
    return omitUndefined({
      ...this.#call,
      args: this.#arguments === undefined ? this.#call.args : toJson(this.#arguments),
    });
  }
}

const STREAMING_MEMBERS = ['partialArgs', 'partial_args', 'willContinue', 'will_continue'];

/** Arguments under construction; the keys of lists are numbers. */
type Branch = Map<string | number, Branch | Json>;

function putPiece(root: Branch, piece: JsonRecord): void {
  const value = pieceValue(piece);
  if (value === undefined) return;
  const path = asString(camelOrSnake(piece, 'jsonPath')) ?? '';
  const steps = stepsOf(path);
  const last = steps.pop() ?? path;
  const branch = steps.reduce(branchAt, root);
  const before = branch.get(last);
  branch.set(last, typeof before === 'string' && typeof value === 'string' ? before + value : value);
}

function pieceValue(piece: JsonRecord): Json | undefined {
  const values = ['stringValue', 'numberValue', 'boolValue'].map((name) => camelOrSnake(piece, name));
  const isNull = 'nullValue' in piece || 'null_value' in piece;
  return values.find((value) => value !== undefined) ?? (isNull ? null : undefined);
}

const STEP = /\.([^.[\]]+)|\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\]/g;
/** Much deeper than the arguments of any tool. */
const MAX_DEPTH = 100;

/** The steps of a JSON path such as `$.stops[0].name`; none for the root, and for a path that is too deep. */
function stepsOf(path: string): (string | number)[] {
  const steps = [...path.matchAll(STEP)].map(([, name, index, ...quoted]) =>
    index === undefined ? (name ?? quoted.find((key) => key !== undefined) ?? '') : Number(index),
  );
  return steps.length > MAX_DEPTH ? [] : steps;
}

function branchAt(branch: Branch, step: string | number): Branch {
  const found = branch.get(step);
  if (found instanceof Map) return found;
  const created: Branch = new Map();
  branch.set(step, created);
  return created;
}

function toJson(branch: Branch | Json): Json {
  if (!(branch instanceof Map)) return branch;
  const entries = [...branch].map(([key, value]) => [key, toJson(value)] as const);
  return entries.every(([key]) => typeof key === 'number')
    ? entries.sort(([left], [right]) => Number(left) - Number(right)).map(([, value]) => value)
    : Object.fromEntries(entries);
}
