import type { EmbeddedMedia } from './embeddedMedia';
import type { MessageExtra } from './messageExtras';
import { entryParts } from './searchTranscript';
import type { InteractionBody, TranscriptEntry } from './transcript';

/** UTF-16 units of a text that are sent to a page at once; the page fetches the rest on demand. */
const SLICE_LENGTH = 20_000;
/** Characters of base64; larger images and sounds are not sent. */
const MAX_MEDIA = 12_000_000;

/** An interaction with only the beginnings of its long texts, whose full lengths are in the entries' `cuts`. */
export function clipBody(body: InteractionBody): InteractionBody {
  return { ...body, entries: body.entries.map(clipEntry), details: body.details.map(clipExtra) };
}

function clipEntry(entry: TranscriptEntry): TranscriptEntry {
  const long = entryParts(entry).filter(({ text }) => text.length > SLICE_LENGTH);
  const heavy = (entry.extras ?? []).some(({ media }) => media !== undefined && media.base64.length > MAX_MEDIA);
  if (long.length === 0 && !heavy) return entry;
  return {
    ...entry,
    text: beginning(entry.text),
    toolCalls: entry.toolCalls.map((call) => ({
      ...call,
      arguments: beginning(call.arguments),
      ...(call.result === undefined ? {} : { result: beginning(call.result) }),
    })),
    ...(entry.extras === undefined ? {} : { extras: entry.extras.map(clipExtra) }),
    cuts: Object.fromEntries(long.map(({ id, text }) => [id, text.length])),
  };
}

function clipExtra({ media, ...extra }: MessageExtra): MessageExtra {
  return { ...extra, text: beginning(extra.text), ...(media === undefined || isHeavy(media) ? {} : { media }) };
}

function isHeavy({ base64 }: EmbeddedMedia): boolean {
  return base64.length > MAX_MEDIA;
}

/** A slice of a text that does not end within a surrogate pair. */
export function textSlice(text: string, start: number): string {
  const slice = text.slice(start, start + SLICE_LENGTH);
  return /[\uD800-\uDBFF]$/.test(slice) && start + SLICE_LENGTH < text.length ? slice.slice(0, -1) : slice;
}

function beginning(text: string): string {
  return text.length > SLICE_LENGTH ? textSlice(text, 0) : text;
}
