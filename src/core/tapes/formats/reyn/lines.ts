import { unicodeEscape } from '../../../json/editJson';
import { type JsonLine, type JsonLinesReading, jsonLineAt, nonBlankLines } from '../../../json/jsonLines';
import { readJson } from '../../../json/readJson';
import { t } from '../../../text/l10n';
import type { Problem, Span } from '../../../text/source';
import type { Splice } from '../../../text/splice';
import type { TextParts } from '../../../text/textParts';

/**
 * The characters at which only Python's `str.splitlines()` ends a line. Control characters are invalid in JSON anyway.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters at which Python splits.
const PYTHON_BREAKS = /[\v\f\x1c-\x1e\x85\u2028\u2029]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same.
const PYTHON_PIECES = /[^\v\f\x1c-\x1e\x85\u2028\u2029]+/g;
/** The limit of problems for a file in which every line is broken. */
const MAX_PROBLEMS = 100;

/**
 * The entries of a fixture. Reyn silently skips lines that it cannot parse and, since it splits lines as Python does,
 * every entry with a U+2028, U+2029 or U+0085 in a text. Those entries are read here, and reported.
 */
export function readReynLines(text: TextParts): JsonLinesReading {
  const lines: JsonLine[] = [];
  const problems: Problem[] = [];
  for (const source of nonBlankLines(text)) {
    const line = jsonLineAt(text, source);
    if (line !== undefined) lines.push(line);
    else if (PYTHON_BREAKS.test(text.slice(source.start, source.end))) readPieces(text, source, lines, problems);
    else problems.push(brokenLine(text, source));
  }
  return { lines, problems: problems.slice(0, MAX_PROBLEMS) };
}

/** The entries, with the problems of those that Python does not find. */
export function readLinesOfPython(text: TextParts): JsonLinesReading {
  const { lines, problems } = readReynLines(text);
  const all = [...problems, ...splitLines(text, lines)];
  return { lines, problems: all.sort((left, right) => left.span.start - right.span.start) };
}

function splitLines(text: TextParts, lines: readonly JsonLine[]): Problem[] {
  const split = lines.flatMap(({ source: { start, end } }) => {
    const line = text.slice(start, end);
    const at = line.search(PYTHON_BREAKS);
    return at === -1 ? [] : [splitLine(line, start + at)];
  });
  return split.slice(0, MAX_PROBLEMS);
}

/** Splices that escape the line ends of Python in valid entries. JSON has no unescaped control characters. */
export function escapedBreaks(text: string): Splice[] {
  return readReynLines(text).lines.flatMap(({ source }) =>
    Array.from(text.slice(source.start, source.end).matchAll(/[\x85\u2028\u2029]/g), ({ 0: char, index }) => {
      const start = source.start + index;
      return { start, end: start + 1, text: unicodeEscape(char) };
    }),
  );
}

/** A line of an editor may have several entries for Python. */
function readPieces(text: TextParts, { start, end }: Span, lines: JsonLine[], problems: Problem[]): void {
  for (const { 0: piece, index } of text.slice(start, end).matchAll(PYTHON_PIECES)) {
    if (piece.trim() === '') continue;
    const source = { start: start + index, end: start + index + piece.length };
    const line = jsonLineAt(text, source);
    if (line === undefined) problems.push(brokenLine(text, source));
    else lines.push(line);
  }
}

function splitLine(line: string, at: number): Problem {
  const code = (/[\x85\u2028\u2029]/.exec(line)?.[0] ?? '').charCodeAt(0);
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return {
    severity: 'error',
    message: t('Reyn does not find this entry: Python ends a line at {0}, and Reyn silently skips both halves', name),
    fix: t('Write the character as \\u{0}.', code.toString(16).padStart(4, '0')),
    span: { start: at, end: at + 1 },
  };
}

function brokenLine(text: TextParts, { start, end }: Span): Problem {
  const problem = readJson(text.slice(start, end)).problems[0];
  const at = start + (problem?.span.start ?? 0);
  return {
    severity: 'error',
    message: t('{0}; Reyn silently skips this line', problem?.message ?? t('an entry must be an object')),
    fix: t('Fix the line in the text editor, or restore the file from version control.'),
    span: problem === undefined ? { start, end } : { start: at, end: Math.min(at + 1, end) },
  };
}
