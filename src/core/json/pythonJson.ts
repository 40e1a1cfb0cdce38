import type { JsonMember, JsonNode } from './jsonNode';

interface PythonJsonOptions {
  readonly sortKeys?: boolean;
  /** Escapes everything beyond ASCII as `\uXXXX`, which is Python's default. */
  readonly ensureAscii?: boolean;
  /** Spaces per level, with one line per item, like `json.dumps(value, indent=2)`. */
  readonly indent?: number;
  /** How floats are written: as `repr` does, the default, or as pydantic does, 0.00001 and 1e-7. */
  readonly floats?: 'repr' | 'pydantic';
}

/**
 * CPython's `json.dumps(json.loads(text))` with the default separators `", "` and `": "`, from which CheckAgent's
 * hashes and Reyn's keys are computed. Integers keep all digits, floats are written like `float.__repr__`, keys are
 * sorted by code point, and a repeated key has its last value in its first position.
 */
export function pythonJson(node: JsonNode, options: PythonJsonOptions = {}): string {
  return dump(node, options, '\n');
}

/** `line` is a line break with the node's indentation. */
function dump(node: JsonNode, options: PythonJsonOptions, line: string): string {
  const inner = line + ' '.repeat(options.indent ?? 0);
  switch (node.type) {
    case 'string':
      return pythonString(node.value, options.ensureAscii ?? true);
    case 'number':
      return pythonNumber(node.lexeme, options);
    case 'literal':
      return String(node.value);
    case 'array':
      return bracketed(
        '[]',
        node.items.map((item) => dump(item, options, inner)),
        options,
        line,
      );
    case 'object':
      return bracketed('{}', dictItems(node.members, options, inner), options, line);
  }
}

function bracketed(brackets: string, items: readonly string[], { indent }: PythonJsonOptions, line: string): string {
  const [open = '', close = ''] = brackets;
  if (indent === undefined || items.length === 0) return open + items.join(', ') + close;
  const inner = line + ' '.repeat(indent);
  return open + inner + items.join(`,${inner}`) + line + close;
}

function dictItems(members: readonly JsonMember[], options: PythonJsonOptions, line: string): string[] {
  const dict = new Map<string, JsonNode>();
  for (const { key, value } of members) dict.set(key, value);
  const keys = [...dict.keys()];
  if (options.sortKeys) keys.sort(compareCodePoints);
  return keys.map((key) => {
    const value = dict.get(key);
    const name = pythonString(key, options.ensureAscii ?? true);
    return `${name}: ${value === undefined ? 'null' : dump(value, options, line)}`;
  });
}

/** Python compares strings by code point; UTF-16 order puts astral characters before U+E000. */
export function compareCodePoints(left: string, right: string): number {
  const limit = Math.min(left.length, right.length);
  for (let at = 0; at < limit; at += 1) {
    const [one = 0, other = 0] = [left.codePointAt(at), right.codePointAt(at)];
    if (one !== other) return one - other;
    if (one > 0xffff) at += 1;
  }
  return left.length - right.length;
}

/** A number after `json.loads` and `repr`: an `int` of any size, or a `float`. */
function pythonNumber(lexeme: string, { floats }: PythonJsonOptions): string {
  if (/^-?\d+$/.test(lexeme)) return lexeme === '-0' ? '0' : lexeme;
  const value = Number(lexeme);
  return floats === 'pydantic' ? pydanticFloat(value) : pythonFloat(value);
}

/** A float as pydantic serialises it: like Python's, but positional down to 0.00001, and with exponents as short as they are. */
function pydanticFloat(value: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  if (value !== 0 && exponent === '-5') return positional(mantissa, -5);
  return pythonFloat(value).replace(/e([+-])0(?=\d$)/, 'e$1');
}

/** `float.__repr__`: the shortest digits, positional for exponents from -4 to 15. */
export function pythonFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 16) {
    const digits = String(Math.abs(exponent)).padStart(2, '0');
    return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`;
  }
  return positional(mantissa, exponent);
}

function positional(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const integer = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${integer}.${digits.slice(exponent + 1) || '0'}`;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\f': '\\f',
  '\b': '\\b',
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters JSON has to escape.
const MUST_ESCAPE = /["\\\u0000-\u001f]/g;
/** CPython's ESCAPE_ASCII also escapes U+007F. */
const NOT_PLAIN_ASCII = /["\\]|[^ -~]/g;

/** A string token as CPython's encoder writes it. */
export function pythonString(value: string, ensureAscii: boolean): string {
  const escaped = (char: string): string =>
    SHORT_ESCAPES[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `"${value.replace(ensureAscii ? NOT_PLAIN_ASCII : MUST_ESCAPE, escaped)}"`;
}
