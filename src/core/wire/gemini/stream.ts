import { asList, asRecord, asRecords, asString, isBlank, omitKeys, omitUndefined } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import type { StreamEvent } from '../protocol';
import { camelOrSnake } from './parts';

/** Puts the pieces of a streamed answer together: each is a whole answer with some of the parts. */
export function joinCandidates(events: readonly StreamEvent[]): JsonRecord {
  const whole = new Map<string, Json>();
  const candidates = new Map<Json, CandidateBuilder>();
  for (const { json } of events) {
    for (const [key, value] of Object.entries(json)) if (key !== 'candidates' && !isBlank(value)) whole.set(key, value);
    for (const piece of asRecords(json.candidates)) {
      const index = piece.index ?? 0;
      const candidate = candidates.get(index) ?? new CandidateBuilder();
      candidates.set(index, candidate);
      candidate.take(piece);
    }
  }
  return { ...Object.fromEntries(whole), candidates: [...candidates.values()].map((candidate) => candidate.whole()) };
}

class CandidateBuilder {
  readonly #others = new Map<string, Json>();
  #content: JsonRecord = {};
  readonly #parts: PartialPart[] = [];

  take(piece: JsonRecord): void {
    for (const [key, value] of Object.entries(piece))
      if (key !== 'content' && !isBlank(value)) this.#others.set(key, value);
    const content = asRecord(piece.content);
    this.#content = { ...this.#content, ...content };
    for (const part of asList(content.parts)) this.#add(part);
  }

  whole(): JsonRecord {
    const parts = this.#parts.map(wholePart);
    return { ...Object.fromEntries(this.#others), content: { ...this.#content, parts } };
  }

  #add(part: Json): void {
    const call = functionCallIn(part);
    if (call === undefined) this.#say(part);
    else this.#call(part, call);
  }

  /** A call goes on in the next one that has neither a name nor arguments of its own. */
  #call(part: Json, piece: JsonRecord): void {
    const last = this.#parts.at(-1);
    const goesOn = last?.call !== undefined && isBlank(piece.name) && isBlank(piece.args);
    const open = goesOn ? last : { raw: {}, text: undefined, call: new FunctionCallBuilder() };
    open.raw = { ...asRecord(open.raw), ...omitKeys(asRecord(part), 'functionCall', 'function_call') };
    open.call?.take(piece);
    if (!goesOn) this.#parts.push(open);
  }

  /** A text goes on in the next piece, unless it is a thought and that is none. */
  #say(part: Json): void {
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
  if (call !== undefined) return { ...asRecord(raw), functionCall: call.whole() };
  return text === undefined ? raw : { ...asRecord(raw), text };
}

function continuesText(last: JsonRecord, next: JsonRecord): boolean {
  return (last.thought === true) === (next.thought === true);
}

/** The call in a part of a piece. */
export function functionCallIn(part: Json): JsonRecord | undefined {
  const call = camelOrSnake(asRecord(part), 'functionCall');
  return isRecord(call) ? call : undefined;
}

/**
 * A call as it is streamed: whole, or (`streamFunctionCallArguments` of Vertex) begun by its name and gone on with by
 * parts without one, whose `partialArgs` tell the arguments value by value, and strings piece by piece.
 */
export class FunctionCallBuilder {
  #call: JsonRecord = {};
  #arguments: Branch | undefined;

  take(call: JsonRecord): void {
    this.#call = { ...this.#call, ...omitKeys(call, ...STREAMING_MEMBERS) };
    for (const piece of asRecords(camelOrSnake(call, 'partialArgs'))) {
      this.#arguments ??= new Map();
      putPiece(this.#arguments, piece);
    }
  }

  whole(): JsonRecord {
    return omitUndefined({
      ...this.#call,
      args: this.#arguments === undefined ? this.#call.args : toJson(this.#arguments),
    });
  }
}

const STREAMING_MEMBERS = ['partialArgs', 'partial_args', 'willContinue', 'will_continue'];

/** Arguments that grow: lists have numbers for keys. */
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
  const told = ['stringValue', 'numberValue', 'boolValue'].map((name) => camelOrSnake(piece, name));
  const isNull = 'nullValue' in piece || 'null_value' in piece;
  return told.find((value) => value !== undefined) ?? (isNull ? null : undefined);
}

const STEP = /\.([^.[\]]+)|\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\]/g;
/** Far deeper than the arguments of any tool. */
const MAX_DEPTH = 100;

/** The steps of a path such as `$.stops[0].name`; none where it is too deep, or the root. */
function stepsOf(path: string): (string | number)[] {
  const steps = [...path.matchAll(STEP)].map(([, name, index, ...quoted]) =>
    index === undefined ? (name ?? quoted.find((key) => key !== undefined) ?? '') : Number(index),
  );
  return steps.length > MAX_DEPTH ? [] : steps;
}

function branchAt(branch: Branch, step: string | number): Branch {
  const found = branch.get(step);
  if (found instanceof Map) return found;
  const begun: Branch = new Map();
  branch.set(step, begun);
  return begun;
}

function toJson(branch: Branch | Json): Json {
  if (!(branch instanceof Map)) return branch;
  const entries = [...branch].map(([key, value]) => [key, toJson(value)] as const);
  return entries.every(([key]) => typeof key === 'number')
    ? entries.sort(([left], [right]) => Number(left) - Number(right)).map(([, value]) => value)
    : Object.fromEntries(entries);
}
