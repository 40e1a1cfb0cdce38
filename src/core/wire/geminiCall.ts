import { isRecord, type Json, type JsonRecord } from '../json/json';
import { present, recordOf, recordsOf, textOf, without } from './fields';
import { either } from './geminiParts';

/** The call in a part of a piece. */
export function callIn(part: Json): JsonRecord | undefined {
  const call = either(recordOf(part), 'functionCall');
  return isRecord(call) ? call : undefined;
}

/**
 * A call as it is streamed: whole, or (`streamFunctionCallArguments` of Vertex) begun by its name and gone on with by
 * parts without one, whose `partialArgs` tell the arguments value by value, and strings piece by piece.
 */
export class OpenCall {
  #call: JsonRecord = {};
  #arguments: Branch | undefined;

  take(call: JsonRecord): void {
    this.#call = { ...this.#call, ...without(call, ...STREAMED) };
    for (const piece of recordsOf(either(call, 'partialArgs'))) {
      this.#arguments ??= new Map();
      put(this.#arguments, piece);
    }
  }

  whole(): JsonRecord {
    return present({ ...this.#call, args: this.#arguments === undefined ? this.#call.args : grown(this.#arguments) });
  }
}

const STREAMED = ['partialArgs', 'partial_args', 'willContinue', 'will_continue'];

/** Arguments that grow: lists have numbers for keys. */
type Branch = Map<string | number, Branch | Json>;

function put(root: Branch, piece: JsonRecord): void {
  const value = pieceValue(piece);
  if (value === undefined) return;
  const path = textOf(either(piece, 'jsonPath')) ?? '';
  const steps = stepsOf(path);
  const last = steps.pop() ?? path;
  const branch = steps.reduce(branchAt, root);
  const before = branch.get(last);
  branch.set(last, typeof before === 'string' && typeof value === 'string' ? before + value : value);
}

function pieceValue(piece: JsonRecord): Json | undefined {
  const told = ['stringValue', 'numberValue', 'boolValue'].map((name) => either(piece, name));
  const isNull = 'nullValue' in piece || 'null_value' in piece;
  return told.find((value) => value !== undefined) ?? (isNull ? null : undefined);
}

const STEP = /\.([^.[\]]+)|\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\]/g;
/** Far deeper than the arguments of any tool. */
const DEEPEST = 100;

/** The steps of a path such as `$.stops[0].name`; none where it is too deep, or the root. */
function stepsOf(path: string): (string | number)[] {
  const steps = [...path.matchAll(STEP)].map(([, name, index, ...quoted]) =>
    index === undefined ? (name ?? quoted.find((key) => key !== undefined) ?? '') : Number(index),
  );
  return steps.length > DEEPEST ? [] : steps;
}

function branchAt(branch: Branch, step: string | number): Branch {
  const found = branch.get(step);
  if (found instanceof Map) return found;
  const begun: Branch = new Map();
  branch.set(step, begun);
  return begun;
}

function grown(branch: Branch | Json): Json {
  if (!(branch instanceof Map)) return branch;
  const entries = [...branch].map(([key, value]) => [key, grown(value)] as const);
  return entries.every(([key]) => typeof key === 'number')
    ? entries.sort(([left], [right]) => Number(left) - Number(right)).map(([, value]) => value)
    : Object.fromEntries(entries);
}
