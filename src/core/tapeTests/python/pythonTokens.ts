import type { Span } from '../../text/source';

/** A Python token, in the detail that decorators and function heads need. Comments and white space are left out. */
export type PythonToken =
  | (Span & { readonly type: 'name' | 'operator' | 'number'; readonly text: string })
  /** `value` is undefined for f-strings and bytes. */
  | (Span & { readonly type: 'string'; readonly value: string | undefined })
  /** The end of a logical line; there is none within brackets, or for lines without a token. */
  | (Span & { readonly type: 'newline' });

/** A logical line: one statement, or the head of a block, with its indentation. */
export interface PythonLine {
  /** In columns; a tab counts as eight, as in Python. */
  readonly indent: number;
  readonly tokens: readonly PythonToken[];
}

const SPACE = /(?:[ \t\f\r\ufeff]|\\\r?\n|#[^\n]*)+/y;
const STRING_START = /([A-Za-z]{0,2})("""|'''|"|')/y;
const STRING_PREFIX = /^(?:[rbuft]|br|rb|fr|rf|tr|rt)?$/i;
const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
const NUMBER = /\.?\d[\w.]*/y;

/** The logical lines of a text, in one pass. Never throws: a text that is not Python gives meaningless lines. */
export function readPythonLines(text: string): PythonLine[] {
  const lines: PythonLine[] = [];
  let tokens: PythonToken[] = [];
  for (const token of tokensOf(text)) {
    if (token.type !== 'newline') tokens.push(token);
    else {
      const [first] = tokens;
      if (first !== undefined) lines.push({ indent: columnOf(text, first.start), tokens });
      tokens = [];
    }
  }
  return lines;
}

function* tokensOf(text: string): Generator<PythonToken> {
  let at = 0;
  let depth = 0;
  while (at < text.length) {
    const blank = match(SPACE, text, at);
    if (blank !== undefined) at += blank.length;
    const char = text[at];
    if (char === undefined) break;
    if (char === '\n') {
      if (depth === 0) yield { type: 'newline', start: at, end: at + 1 };
      at += 1;
      continue;
    }
    const token = stringAt(text, at) ?? wordAt(text, at) ?? operatorAt(text, at);
    if (token.type === 'operator') depth = depthAfter(depth, token.text);
    yield token;
    at = token.end;
  }
  yield { type: 'newline', start: text.length, end: text.length };
}

function depthAfter(depth: number, operator: string): number {
  if ('([{'.includes(operator)) return depth + 1;
  return ')]}'.includes(operator) ? Math.max(0, depth - 1) : depth;
}

function wordAt(text: string, start: number): PythonToken | undefined {
  const name = match(NAME, text, start);
  if (name !== undefined) return { type: 'name', text: name, start, end: start + name.length };
  const number = match(NUMBER, text, start);
  return number === undefined ? undefined : { type: 'number', text: number, start, end: start + number.length };
}

function operatorAt(text: string, start: number): PythonToken {
  const length = (text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
  return { type: 'operator', text: text.slice(start, start + length), start, end: start + length };
}

function stringAt(text: string, start: number): PythonToken | undefined {
  STRING_START.lastIndex = start;
  const [opening, prefix = '', quote = ''] = STRING_START.exec(text) ?? [];
  if (opening === undefined || !STRING_PREFIX.test(prefix)) return undefined;
  const content = start + opening.length;
  const end = endOfString(text, content, quote);
  const written = text.slice(content, text.startsWith(quote, end - quote.length) ? end - quote.length : end);
  return { type: 'string', value: stringValue(written, prefix), start, end };
}

/** The place after the closing quotes; an unterminated string on one line ends with the line. */
function endOfString(text: string, content: number, quote: string): number {
  let at = content;
  while (at < text.length) {
    if (text[at] === '\\') at += 2;
    else if (text.startsWith(quote, at)) return at + quote.length;
    else if (quote.length === 1 && text[at] === '\n') return at;
    else at += 1;
  }
  return text.length;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'", '"': '"' };

function stringValue(written: string, prefix: string): string | undefined {
  if (/[bft]/i.test(prefix)) return undefined;
  if (/r/i.test(prefix)) return written;
  return written.replace(/\\(?:\r?\n|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))/g, (whole, unicode, byte, char) => {
    const code: string | undefined = unicode ?? byte;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return char === undefined ? '' : (ESCAPES[char] ?? whole);
  });
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function columnOf(text: string, offset: number): number {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  let column = 0;
  // A byte order mark does not count as a column.
  for (const char of text.slice(lineStart, offset).replace('\ufeff', ''))
    column = char === '\t' ? column - (column % 8) + 8 : column + 1;
  return column;
}
