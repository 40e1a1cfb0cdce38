import { message } from '../text/l10n';
import type { JsonNode } from './jsonNode';
import type { ValueType } from './nodeReader';

/** Reads an `int` as pydantic 2 does in lax mode, which accepts `10.0`, `"10"` and `true`. */
export const PYDANTIC_INT: ValueType<bigint> = { expected: message('a whole number'), read: readInt };

/** Reads a `float` as pydantic 2 does in lax mode. `12` becomes `12.0`. */
export const PYDANTIC_FLOAT: ValueType<number> = { expected: message('a number'), read: readFloat };

const INT_TEXT = /^[+-]?\d+(?:_\d+)*(?:\.0+)?$/;
const FLOAT_TEXT = /^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+)?$/i;
const MAX_INT64 = 2 ** 63;

function readInt(node: JsonNode): bigint | undefined {
  if (node.type === 'literal') return node.value === null ? undefined : BigInt(node.value);
  if (node.type === 'string') {
    const text = node.value.trim();
    return INT_TEXT.test(text) ? BigInt(text.replace(/\..*|_|^\+/g, '')) : undefined;
  }
  if (node.type !== 'number') return undefined;
  if (/^-?\d+$/.test(node.lexeme)) return BigInt(node.lexeme);
  const value = Number(node.lexeme);
  return Number.isInteger(value) && Math.abs(value) < MAX_INT64 ? BigInt(value) : undefined;
}

function readFloat(node: JsonNode): number | undefined {
  if (node.type === 'literal') return node.value === null ? undefined : Number(node.value);
  if (node.type === 'number') return node.lexeme === '-0' ? 0 : Number(node.lexeme);
  if (node.type !== 'string') return undefined;
  const text = node.value.trim().toLowerCase();
  if (/^[+-]?(?:inf|infinity)$/.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^[+-]?nan$/.test(text)) return Number.NaN;
  return FLOAT_TEXT.test(text) ? Number(text.replaceAll('_', '')) : undefined;
}
