import { decodeBase64 } from '../../../bytes/base64';
import { utf8Length } from '../../../bytes/utf8';
import type { HttpBody } from '../../../model/http';
import { t } from '../../../text/l10n';
import type { Span } from '../../../text/source';
import type { Splice } from '../../../text/splice';
import { rewritePieces, splicesBetween } from '../../../text/splicesBetween';
import { editResponse } from '../../../wire/edit/editResponse';
import { statusPhrase } from '../../../wire/http';
import type { DependentEdits, EditOutcome, TapeResponseEdit } from '../../format';
import type { TapeFile } from '../../tapeFile';
import type { HttpMessage } from './message';
import { bodySpans, bytesBetween, type HttprrRecord, readRecords, recordExchange } from './records';

/** Changes the text of a response, the sizes of its chunks, its content-length, and the byte counts of its record. */
export function editHttprr(file: TapeFile, edit: TapeResponseEdit): EditOutcome {
  const record = readRecords(file).value?.[edit.interaction];
  if (record === undefined) return { refused: t('The trace has no record {0}.', edit.interaction + 1) };
  if (edit.type === 'status') return editStatus(file, record, edit.status);
  const outcome = editResponse(recordExchange(file, record), edit);
  if ('refused' in outcome) return outcome;
  const wire = wireText(file, outcome.body);
  if (wire === undefined) return { refused: t('The trace is UTF-8, and the new body is not. Nothing was changed.') };
  const splices = bodySplices(file, record.response, wire);
  if (splices === undefined) return { refused: t('The response has no chunk whose data could be changed.') };
  const length = lengthSplices(file, record.response, bytesOf(file, wire));
  const counts = countSplices(file, record, [...splices, ...length]);
  return {
    splices: [...splices, ...length, ...counts],
    dependents: [
      ...outcome.dependents,
      ...(length.length > 0 ? ['content-length'] : []),
      ...(counts.length > 0 ? [t('byte counts')] : []),
    ],
  };
}

/** Updates the chunk sizes, content-length and byte counts that the changes make wrong, if they were right before. */
export function followHttprr(file: TapeFile, changes: readonly Splice[]): DependentEdits {
  const splices: Splice[] = [];
  const dependents = new Set<string>();
  const follow = (name: string, found: readonly Splice[]): readonly Splice[] => {
    if (found.length > 0) dependents.add(name);
    splices.push(...found);
    return found;
  };
  for (const record of readRecords(file).value ?? []) {
    const own = changes.filter(({ start, end }) => start >= record.start && end <= record.end);
    if (own.length === 0) continue;
    const sizes = [record.request, record.response].flatMap((message) => [
      ...follow(t('chunk sizes'), chunkSizes(file, message, own)),
      ...follow('content-length', contentLengths(file, message, own)),
    ]);
    if (record.isCounted) follow(t('byte counts'), countSplices(file, record, [...own, ...sizes]));
  }
  return { splices, dependents: [...dependents] };
}

function chunkSizes(file: TapeFile, { chunks = [] }: HttpMessage, changes: readonly Splice[]): Splice[] {
  return chunks.flatMap(({ size, data }) => {
    const added = addedBytes(file, data, changes);
    const recorded = Number.parseInt(file.text.slice(size.start, size.end), 16);
    return added === 0 ? [] : [{ ...size, text: (recorded + added).toString(16) }];
  });
}

function contentLengths(file: TapeFile, message: HttpMessage, changes: readonly Splice[]): Splice[] {
  const spans = bodySpans(message);
  const before = spans.reduce((sum, { start, end }) => sum + bytesBetween(file, start, end), 0);
  return lengthSplices(file, message, before + spans.reduce((sum, span) => sum + addedBytes(file, span, changes), 0));
}

/** The number of characters by which the changes in a range make it longer. */
function addedBytes(file: TapeFile, { start, end }: Span, changes: readonly Splice[]): number {
  const own = changes.filter((change) => change.start >= start && change.end <= end);
  return own.reduce(
    (sum, change) => sum + bytesOf(file, change.text) - bytesBetween(file, change.start, change.end),
    0,
  );
}

function bytesOf({ encoding }: TapeFile, text: string): number {
  return encoding === 'utf-8' ? utf8Length(text) : text.length;
}

/** Changes the status line, with its reason phrase if that was the standard one of the status. */
function editStatus(file: TapeFile, record: HttprrRecord, status: number): EditOutcome {
  const { startLine, start } = record.response;
  const [, version = '', before = '', phrase = ''] = /^(HTTP\/\S+ )(\d{3})(?: (.*))?$/.exec(startLine) ?? [];
  if (before === '') return { refused: t('This response has no recorded status to change.') };
  const at = start + version.length;
  const follows = phrase !== '' && phrase === statusPhrase(Number(before));
  const end = at + before.length + (follows ? phrase.length + 1 : 0);
  const text = follows ? `${status} ${statusPhrase(status)}` : `${status}`;
  const splices = [{ start: at, end, text }];
  const counts = countSplices(file, record, splices);
  const dependents = [...(follows ? ['reason'] : []), ...(counts.length > 0 ? [t('byte counts')] : [])];
  return { splices: [...splices, ...counts], dependents };
}

/** Splices that correct the byte counts of every record. */
export function finaliseHttprr(file: TapeFile): readonly Splice[] {
  const records = readRecords(file).value ?? [];
  return records.flatMap((record) => countSplices(file, record, []));
}

/** A body as text of the file. Undefined if the file is UTF-8 and the body is not. */
function wireText({ encoding }: TapeFile, body: HttpBody): string | undefined {
  const bytes = body.type === 'base64' ? decodeBase64(body.base64) : undefined;
  if (encoding === 'latin1') {
    const raw = bytes ?? (body.type === 'text' ? new TextEncoder().encode(body.text) : undefined);
    return raw && Array.from(raw, (byte) => String.fromCharCode(byte)).join('');
  }
  if (body.type === 'text') return body.text;
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function bodySplices({ text, encoding }: TapeFile, message: HttpMessage, wire: string): Splice[] | undefined {
  const { chunks, body } = message;
  if (chunks === undefined) return minimalSplices(text.slice(body.start, body.end), wire, body.start);
  if (chunks.length === 0) return undefined;
  const before = chunks.map(({ data }) => text.slice(data.start, data.end));
  const after = rewritePieces(before, wire);
  return chunks.flatMap(({ start, end, size, data }, index) => {
    const chunk = after[index] ?? '';
    const splices = minimalSplices(before[index] ?? '', chunk, data.start);
    const length = encoding === 'utf-8' ? utf8Length(chunk) : chunk.length;
    const recorded = Number.parseInt(text.slice(size.start, size.end), 16);
    // A chunk of no bytes would end the body.
    if (length === 0) return [{ start, end, text: '' }];
    return length === recorded ? splices : [...splices, { ...size, text: length.toString(16) }];
  });
}

function minimalSplices(before: string, after: string, at: number): Splice[] {
  return splicesBetween(before, after).map(({ start, end, text }) => ({ start: at + start, end: at + end, text }));
}

/** The new content-length of a body with this many bytes, if the old one was right. */
function lengthSplices(file: TapeFile, message: HttpMessage, after: number): Splice[] {
  const before = bodySpans(message).reduce((sum, { start, end }) => sum + bytesBetween(file, start, end), 0);
  if (before === after) return [];
  return message.headers.flatMap(({ name, value, span }) =>
    /^content-length$/i.test(name) && value === `${before}` ? [{ ...span, text: `${after}` }] : [],
  );
}

/** The byte counts of the messages of a record after these splices. */
function countSplices(
  file: TapeFile,
  { counts, request, response }: HttprrRecord,
  splices: readonly Splice[],
): Splice[] {
  const right = [request, response].map(
    (message) => bytesBetween(file, message.start, message.end) + addedBytes(file, message, splices),
  );
  return counts.flatMap((span, index) => {
    const count = `${right[index]}`;
    return file.text.slice(span.start, span.end) === count ? [] : [{ ...span, text: count }];
  });
}
