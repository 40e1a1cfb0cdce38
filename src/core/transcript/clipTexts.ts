import type { EmbeddedMedia } from './embeddedMedia';
import type { MessageExtra } from './messageExtras';
import { entryParts } from './searchTranscript';
import type { InteractionBody, TranscriptEntry } from './transcript';

/** So much of a text is sent to a page at once, in UTF-16 units; what it has more is fetched when it is wanted. */
export const SLICE_LENGTH = 20_000;
/** Pictures and sounds beyond this many characters of base64 stay where they are. */
const MAX_MEDIA = 12_000_000;

/** An interaction with the beginnings of its long texts. `cuts` of an entry tell how long they are. */
export function clipBody(body: InteractionBody): InteractionBody {
  return { ...body, entries: body.entries.map(clipEntry), details: body.details.map(clipExtra) };
}

function clipEntry(entry: TranscriptEntry): TranscriptEntry {
  const long = entryParts(entry).filter(({ text }) => text.length > SLICE_LENGTH);
  const heavy = (entry.asides ?? []).some(({ media }) => media !== undefined && media.base64.length > MAX_MEDIA);
  if (long.length === 0 && !heavy) return entry;
  return {
    ...entry,
    text: beginning(entry.text),
    toolCalls: entry.toolCalls.map((call) => ({
      ...call,
      arguments: beginning(call.arguments),
      ...(call.result === undefined ? {} : { result: beginning(call.result) }),
    })),
    ...(entry.asides === undefined ? {} : { asides: entry.asides.map(clipExtra) }),
    cuts: Object.fromEntries(long.map(({ id, text }) => [id, text.length])),
  };
}

function clipExtra({ media, ...aside }: MessageExtra): MessageExtra {
  return { ...aside, text: beginning(aside.text), ...(media === undefined || isHeavy(media) ? {} : { media }) };
}

function isHeavy({ base64 }: EmbeddedMedia): boolean {
  return base64.length > MAX_MEDIA;
}

/** A slice of a text, never between the halves of a character. */
export function textSlice(text: string, start: number): string {
  const slice = text.slice(start, start + SLICE_LENGTH);
  return /[\uD800-\uDBFF]$/.test(slice) && start + SLICE_LENGTH < text.length ? slice.slice(0, -1) : slice;
}

function beginning(text: string): string {
  return text.length > SLICE_LENGTH ? textSlice(text, 0) : text;
}
