/**
 * Decodes scalars as PyYAML and libyaml do (YAML 1.1), with which recorders in Python, Ruby, Go and R read their tapes
 * again. There, NEL, LS and PS are line breaks too: NEL becomes a line feed, LS and PS stay as they are.
 */

const BREAK = /(\r\n|[\r\n\u0085\u2028\u2029])/;
const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([\s\S]))/g;
const ESCAPED: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};

/** Whether a text has line breaks that YAML 1.2 does not know. */
export function hasOldBreaks(text: string): boolean {
  return ['\u0085', '\u2028', '\u2029'].some((one) => text.includes(one));
}

/** The value of a plain scalar. */
export function decodePlain(source: string): string {
  return foldLines(source, (text) => ({ text, isJoined: false }));
}

/** The value of a quoted scalar, with its quotes, whose escapes are valid. */
export function decodeQuoted(source: string): string {
  const inner = source.slice(1, -1);
  return source.startsWith("'") ? decodePlain(inner).replaceAll("''", "'") : foldLines(inner, unescapeLine);
}

/** A decoded line; a backslash at its end joins it with the next one. */
interface FoldedLine {
  readonly text: string;
  readonly isJoined: boolean;
}

/** Joins the lines of a scalar: one line break becomes a space, and of several the first is dropped. */
function foldLines(source: string, decode: (line: string) => FoldedLine): string {
  const pieces = source.split(BREAK);
  const last = pieces.length - 1;
  let folded = '';
  let isJoined = false;
  let breaks: string[] = [];
  for (const [at, piece] of pieces.entries()) {
    if (at % 2 === 1) breaks.push(normalBreak(piece));
    else {
      const line = trimLine(piece, at > 0, at < last);
      if (line === '' && at > 0 && at < last) continue;
      const { text, isJoined: joinsNext } = decode(line);
      folded += foldBreaks(breaks, isJoined) + text;
      isJoined = joinsNext && at < last;
      breaks = [];
    }
  }
  return folded;
}

function normalBreak(lineBreak: string): string {
  return lineBreak === '\u2028' || lineBreak === '\u2029' ? lineBreak : '\n';
}

function foldBreaks([first, ...others]: readonly string[], isJoined: boolean): string {
  if (first === undefined || isJoined) return others.join('');
  if (first !== '\n') return first + others.join('');
  return others.length === 0 ? ' ' : others.join('');
}

function isBlank(char: string | undefined): boolean {
  return char === ' ' || char === '\t';
}

function trimLine(line: string, atStart: boolean, atEnd: boolean): string {
  let start = 0;
  let end = line.length;
  if (atStart) while (isBlank(line[start])) start += 1;
  if (atEnd) while (end > start && isBlank(line[end - 1])) end -= 1;
  // A space after a backslash belongs to the text.
  if (end < line.length && isEscaped(line, end)) end += 1;
  return line.slice(start, end);
}

/** Whether the character at an offset follows an odd number of backslashes. */
function isEscaped(line: string, offset: number): boolean {
  let at = offset;
  while (line[at - 1] === '\\') at -= 1;
  return (offset - at) % 2 === 1;
}

function unescapeLine(line: string): FoldedLine {
  const isJoined = isEscaped(line, line.length);
  return { text: unescapeText(isJoined ? line.slice(0, -1) : line), isJoined };
}

function unescapeText(text: string): string {
  return text.replace(ESCAPE, (_, byte?: string, short?: string, long?: string, char = '') => {
    const code = byte ?? short ?? long;
    return code === undefined ? (ESCAPED[char] ?? char) : String.fromCodePoint(Number.parseInt(code, 16));
  });
}

/** The value of a block scalar: its header, such as `|2-`, and the lines below, of at least this indentation. */
export function decodeBlock(header: string, source: string, minIndent: number): string {
  const [, hint] = /(\d)/.exec(header) ?? [];
  const chomping = /[-+]/.exec(header)?.[0];
  const lines = new BlockLines(source, header.startsWith('>'));
  const indent = hint === undefined ? undefined : minIndent + Number(hint) - 1;
  return lines.decode(Math.max(minIndent, indent ?? lines.leadingIndent()), chomping);
}

class BlockLines {
  readonly #pieces: readonly string[];
  readonly #isFolded: boolean;

  constructor(source: string, isFolded: boolean) {
    this.#pieces = source.split(BREAK);
    this.#isFolded = isFolded;
  }

  /** The greatest indentation of the blank lines before the text and of its first line. */
  leadingIndent(): number {
    let indent = 0;
    for (let at = 0; at < this.#pieces.length; at += 2) {
      const line = this.#pieces[at] ?? '';
      const spaces = spacesOf(line, line.length);
      indent = Math.max(indent, spaces);
      if (spaces < line.length) break;
    }
    return indent;
  }

  decode(indent: number, chomping: string | undefined): string {
    let text = '';
    let lastBreak = '';
    let breaks: string[] = [];
    let isFoldable = false;
    for (let at = 0; at < this.#pieces.length; at += 2) {
      const line = this.#pieces[at] ?? '';
      const content = line.slice(spacesOf(line, indent));
      const lineBreak = normalBreak(this.#pieces[at + 1] ?? '');
      if (content === '') {
        if (at + 1 < this.#pieces.length) breaks.push(lineBreak);
        continue;
      }
      const folds = isFoldable && lastBreak === '\n' && !isBlank(content[0]);
      text += (folds ? (breaks.length === 0 ? ' ' : '') : lastBreak) + breaks.join('') + content;
      isFoldable = this.#isFolded && !isBlank(content[0]);
      lastBreak = at + 1 < this.#pieces.length ? lineBreak : '';
      breaks = [];
    }
    if (chomping === '-') return text;
    return text + lastBreak + (chomping === '+' ? breaks.join('') : '');
  }
}

function spacesOf(line: string, limit: number): number {
  let spaces = 0;
  while (spaces < limit && line[spaces] === ' ') spaces += 1;
  return spaces;
}
