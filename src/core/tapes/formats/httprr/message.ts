import { utf8Offset } from '../../../bytes/utf8';
import { t } from '../../../text/l10n';
import type { Problem, Span } from '../../../text/source';
import type { TapeFile } from '../../tapeFile';

/** A header of a recorded message, with the span of its value. */
interface MessageHeader {
  readonly name: string;
  readonly value: string;
  readonly span: Span;
}

/** A piece of a body that was sent with `transfer-encoding: chunked`: its size in hexadecimal, and its data. */
interface MessageChunk extends Span {
  readonly size: Span;
  readonly data: Span;
}

/** A request or a response as it was on the wire, with the spans of its parts. */
export interface HttpMessage extends Span {
  readonly startLine: string;
  readonly headers: readonly MessageHeader[];
  /** Everything after the blank line. */
  readonly body: Span;
  /** The pieces of the body, if it is chunked. */
  readonly chunks?: readonly MessageChunk[];
  readonly problems: readonly Problem[];
}

/** Reads the message at an offset. Lines may end in CRLF or LF: a scrubber of headers may have removed the CR. */
export function readHttpMessage(file: TapeFile, { start, end }: Span): HttpMessage {
  const { text } = file;
  const lines: Span[] = [];
  let at = start;
  while (at < end) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline === -1 || newline >= end ? end : newline;
    const line = { start: at, end: text.charCodeAt(lineEnd - 1) === 0x0d ? Math.max(at, lineEnd - 1) : lineEnd };
    at = Math.min(end, lineEnd + 1);
    if (line.start === line.end) break;
    lines.push(line);
  }
  const [startLine, ...headerLines] = lines;
  const headers = headerLines.flatMap((line) => readHeader(text, line));
  const body = { start: at, end };
  const message = { start, end, headers, body, startLine: startLine ? text.slice(startLine.start, startLine.end) : '' };
  if (!headers.some(({ name, value }) => /^transfer-encoding$/i.test(name) && /\bchunked\b/i.test(value)))
    return { ...message, problems: [] };
  const chunks = readChunks(file, body);
  return chunks === undefined ? { ...message, problems: [brokenChunks(body)] } : { ...message, chunks, problems: [] };
}

function readHeader(text: string, line: Span): MessageHeader[] {
  const colon = text.indexOf(':', line.start);
  if (colon === -1 || colon >= line.end) return [];
  const span = withoutSpaces(text, { start: colon + 1, end: line.end });
  return [{ name: text.slice(line.start, colon), value: text.slice(span.start, span.end), span }];
}

/** Only spaces and tabs stand around a value: in a file of bytes, what `trim` takes for a space may be a part of a character. */
function withoutSpaces(text: string, { start, end }: Span): Span {
  const isSpace = (at: number): boolean => text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 0x09;
  let from = start;
  let to = end;
  while (from < to && isSpace(from)) from += 1;
  while (to > from && isSpace(to - 1)) to -= 1;
  return { start: from, end: to };
}

const SIZE = /([0-9a-f]{1,8})[^\r\n]*\r?\n/iy;

/** Undefined if the chunks are inconsistent. */
function readChunks(file: TapeFile, body: Span): MessageChunk[] | undefined {
  const { text, encoding } = file;
  const chunks: MessageChunk[] = [];
  let at = body.start;
  for (;;) {
    SIZE.lastIndex = at;
    const [line = '', digits = ''] = SIZE.exec(text) ?? [];
    const start = at + line.length;
    const length = Number.parseInt(digits, 16);
    if (line === '' || start > body.end) return undefined;
    if (length === 0) return chunks;
    const end = encoding === 'utf-8' ? utf8Offset(text, start, length) : start + length;
    if (end === undefined || end >= body.end) return undefined;
    const next = text.charCodeAt(end) === 0x0d ? end + 2 : end + 1;
    if (text.charCodeAt(next - 1) !== 0x0a) return undefined;
    const size = { start: at, end: at + digits.length };
    chunks.push({ start: at, end: next, size, data: { start, end } });
    at = next;
  }
}

function brokenChunks({ start, end }: Span): Problem {
  return {
    severity: 'error',
    message: t('the chunks of a body do not have the sizes that they say; the body is shown as it stands'),
    fix: t('Restore the file from version control, or record it again.'),
    span: { start, end: Math.min(end, start + 1) },
  };
}
