import { decodeBase64, encodeBase64 } from '../bytes/base64';
import type { Span } from '../text/source';
import { type PackedString, unpackString } from './packedString';

/** Base64 in a text: what it contains, and how something else is written in its place. */
export interface EncodedRun extends Span {
  readonly content: PackedString | { readonly bytes: Uint8Array; repack(bytes: Uint8Array): string };
}

const RUN = /[A-Za-z0-9+/_-]{16,}={0,2}/g;
/** The next line of base64 that is wrapped, as MIME does it, in a text or in a string within it. */
const NEXT_LINE = /(?:\r?\n|(?:\\{1,7}r)?\\{1,7}n)[ \t]{0,40}([A-Za-z0-9+/_-]+={0,2})/y;
const SHORTEST_WRAPPED = 56;
/** Shorter binary data holds no secret that is not found otherwise. */
const SHORTEST_BINARY = 40;
const LONGEST_PATH = 4096;

/** The base64 in a text that decodes to text, to compressed text, or to a fair amount of other data. */
export function encodedRuns(text: string): EncodedRun[] {
  const runs: EncodedRun[] = [];
  RUN.lastIndex = 0;
  for (let match = RUN.exec(text); match !== null; match = RUN.exec(text)) {
    // The letter of an escape such as `\n` is not part of it.
    const start = /\\[nrtbf]$/.test(text.slice(Math.max(0, match.index - 1), match.index + 1))
      ? match.index + 1
      : match.index;
    const end = match.index + match[0].length;
    const first = text.slice(start, end);
    const wrapped = first.length >= SHORTEST_WRAPPED ? followingLines(text, start, end) : undefined;
    const run = (wrapped && decodeRun(wrapped.packed, { start, end: wrapped.end })) ?? decodeRun(first, { start, end });
    if (run !== undefined) {
      runs.push(run);
      RUN.lastIndex = Math.max(run.end, end);
    } else if (first.length <= LONGEST_PATH && first.includes('/')) runs.push(...segments(first, start));
  }
  return runs;
}

function followingLines(text: string, start: number, end: number): { packed: string; end: number } | undefined {
  const lines = [text.slice(start, end)];
  const { length } = lines[0] ?? '';
  let at = end;
  for (NEXT_LINE.lastIndex = at; ; NEXT_LINE.lastIndex = at) {
    const match = NEXT_LINE.exec(text);
    if (match === null || (match[1]?.length ?? 0) > length) break;
    lines.push(match[1] ?? '');
    at = NEXT_LINE.lastIndex;
    if ((match[1]?.length ?? 0) < length) break;
  }
  return at === end ? undefined : { packed: lines.join(''), end: at };
}

/** Base64 in a segment of a path. */
function segments(path: string, offset: number): EncodedRun[] {
  const runs: EncodedRun[] = [];
  let start = offset;
  for (const segment of path.split('/')) {
    const run = segment.length >= 16 ? decodeRun(segment, { start, end: start + segment.length }) : undefined;
    if (run !== undefined) runs.push(run);
    start += segment.length + 1;
  }
  return runs;
}

function decodeRun(packed: string, { start, end }: Span): EncodedRun | undefined {
  const begins = decodeBase64(packed.slice(0, 16));
  if (begins === undefined) return undefined;
  if (!begins.some(isControl) || isCompressed(packed)) {
    const content = unpackString(packed);
    if (content !== undefined) return { start, end, content };
  }
  if (packed.length < SHORTEST_BINARY) return undefined;
  const bytes = decodeBase64(packed);
  return bytes && { start, end, content: { bytes, repack: encodeBase64 } };
}

function isControl(byte: number): boolean {
  return (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) || byte === 0x7f;
}

/** Base64 of the first bytes of gzip, zstd and zlib. */
function isCompressed(packed: string): boolean {
  return /^(?:H4sI|KLUv\/|e[AFJN])/.test(packed);
}
