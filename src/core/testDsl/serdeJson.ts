import type { JsonNode } from '../json/jsonNode';
import { readJson } from '../json/readJson';
import { type Reader, SerdeError } from './serde';

/** serde_json's recursion limit. */
const MAX_DEPTH = 127;

const START = { start: 0, end: 0 };

/** Reads a JSON text as serde_json does, which refuses more than other readers. Throws a `SerdeError`. */
export function readSerdeJson<T>(text: string, read: Reader<T>): T {
  if (text.startsWith('\uFEFF')) throw new SerdeError('expected value: the file starts with a byte order mark', START);
  const { value, problems } = readJson(text);
  const [problem] = problems;
  if (problem !== undefined) throw new SerdeError(problem.message, problem.span);
  if (value === undefined) throw new SerdeError('EOF while parsing a value', START);
  refuseLoneSurrogates(text);
  refuseDeep(value, MAX_DEPTH);
  return read(value);
}

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|.)/gs;

/** Escapes are only in strings, so that a scan of the text finds them. */
function refuseLoneSurrogates(text: string): void {
  let high: number | undefined;
  for (const { index, 0: written, 1: code = '' } of text.matchAll(ESCAPE)) {
    const unit = Number.parseInt(code, 16);
    const completes = high !== undefined && index === high + written.length && unit >= 0xdc00 && unit <= 0xdfff;
    if (high !== undefined && !completes) throw loneSurrogate(high);
    if (high === undefined && unit >= 0xdc00 && unit <= 0xdfff) throw loneSurrogate(index);
    high = !completes && unit >= 0xd800 && unit <= 0xdbff ? index : undefined;
  }
  if (high !== undefined) throw loneSurrogate(high);
}

function loneSurrogate(at: number): SerdeError {
  return new SerdeError('lone leading surrogate in hex escape', { start: at, end: at + 6 });
}

function refuseDeep(node: JsonNode, left: number): void {
  if (node.type === 'number' && !Number.isFinite(Number(node.lexeme)))
    throw new SerdeError('number out of range', node);
  if (node.type !== 'array' && node.type !== 'object') return;
  if (left === 0) throw new SerdeError('recursion limit exceeded', node);
  const children = node.type === 'array' ? node.items : node.members.map(({ value }) => value);
  for (const child of children) refuseDeep(child, left - 1);
}
