import { isRecord } from '../../json/json';
import { parseJson } from '../../json/readJson';
import type { Span } from '../../text/source';

/** One line of newline-delimited JSON, with its position in the text. */
interface NdjsonLine extends Span {
  readonly data: string;
}

/** The lines that are not blank. */
export function readNdjson(text: string): NdjsonLine[] {
  const lines: NdjsonLine[] = [];
  for (const match of text.matchAll(/[^\r\n]+/g)) {
    const data = match[0].trim();
    if (data === '') continue;
    const start = match.index + match[0].indexOf(data);
    lines.push({ data, start, end: start + data.length });
  }
  return lines;
}

/** The first line is complete, and the next one that is not blank is an object as well, which most JSON documents lack. */
const NEXT_OBJECT = /^\s*\{[^\r\n]*[\r\n]\s*\{/;

/** Whether a text is several lines that each begin and end like a JSON object. The last one may be truncated. */
export function looksLikeNdjson(text: string): boolean {
  // Most JSON is one line, in which a plain search for its end is many times faster than a pattern.
  if (!/^\s*\{/.test(text) || !(text.includes('\n') || text.includes('\r'))) return false;
  if (!NEXT_OBJECT.test(text)) return false;
  const lines = readNdjson(text);
  const first = lines[0];
  const last = lines.at(-1);
  if (first === undefined || last === first || !lines.every(({ data }) => data.startsWith('{'))) return false;
  if (!lines.every((line) => line === last || line.data.endsWith('}'))) return false;
  return last?.data.endsWith('}') === true || isRecord(parseJson(first.data));
}
