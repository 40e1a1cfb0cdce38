import { decodeBase64, encodeBase64 } from '../bytes/base64';
import { parseJson } from '../json/readJson';
import type { Chunk, HttpBody } from '../model/http';
import type { Span } from '../text/source';
import { pieceIn } from '../wire/realtime/piece';
import { redactDecompressed, redactText } from './redactBody';
import { redactStream } from './redactStream';
import type { SpellingSearch } from './spellingSearch';

/**
 * The messages of a WebSocket without secrets, those included that are spread over several messages of one sender; each stays a message.
 * Undefined if one cannot be searched, or written without them.
 */
export function redactTalk(chunks: readonly Chunk[], search: SpellingSearch): HttpBody | undefined {
  const whole = withoutSpread(chunks, search)?.map((chunk) => withoutSecrets(chunk, search));
  if (whole === undefined || whole.includes(undefined)) return undefined;
  const clean = whole.flatMap((chunk) => chunk ?? []);
  return clean.every((chunk, index) => chunk === chunks[index])
    ? { type: 'chunks', chunks }
    : { type: 'chunks', chunks: clean };
}

function withoutSpread(chunks: readonly Chunk[], search: SpellingSearch): readonly Chunk[] | undefined {
  const clean = [...chunks];
  for (const sender of ['client', 'server']) {
    const places = chunks.flatMap((chunk, index) => (chunk.event === sender && mayBePiece(chunk) ? [index] : []));
    const said = places.flatMap((index) => chunks[index] ?? []);
    const body = said.length < 2 ? undefined : redactStream({ type: 'chunks', chunks: said }, [], search);
    if (said.length < 2) continue;
    if (body?.type !== 'chunks') return undefined;
    places.forEach((place, index) => {
      const [before, after] = [chunks[place], body.chunks[index]];
      if (before !== undefined && after !== undefined && before.data !== after.data)
        clean[place] = { ...before, data: after.data };
    });
  }
  return clean;
}

/** What a server says comes in pieces, and some of what a client says. */
function mayBePiece({ event, data, base64 }: Chunk): boolean {
  if (base64 || soundIn(data) !== undefined) return false;
  return event === 'server' || pieceIn(parseJson(data)) !== undefined;
}

function withoutSecrets(chunk: Chunk, search: SpellingSearch): Chunk | undefined {
  const data = chunk.base64 ? binaryWithout(chunk.data, search) : textWithout(chunk.data, search);
  return data === chunk.data ? chunk : data === undefined ? undefined : { ...chunk, data };
}

/** An hour of speech is searched in no time where only what is said beside it is. */
function textWithout(text: string, search: SpellingSearch): string | undefined {
  const sound = soundIn(text);
  if (sound === undefined) return redactText(text, search);
  const [before, after] = [text.slice(0, sound.start), text.slice(sound.end)];
  const clean = redactText(`${before}${after}`, search);
  // What has a secret beside its sound is searched whole.
  return clean === `${before}${after}` ? text : redactText(text, search);
}

const SOUND = /"(?:audio|delta|data)":\s?"(?<sound>[A-Za-z0-9+/]{200,}={0,2})"/d;
const NAMES_AUDIO = /"type":\s?"[\w.]*audio[\w.]*"|"mime_?[tT]ype":\s?"audio\//;

/** Where a message that says so has audio, as base64. */
function soundIn(text: string): Span | undefined {
  const found = SOUND.exec(text)?.indices?.groups?.sound;
  if (found === undefined) return undefined;
  const [start, end] = found;
  return NAMES_AUDIO.test(text.slice(0, start)) || NAMES_AUDIO.test(text.slice(end)) ? { start, end } : undefined;
}

function binaryWithout(base64: string, search: SpellingSearch): string | undefined {
  const clean = redactDecompressed(decodeBase64(base64) ?? new Uint8Array(), [], search);
  return clean && (clean.isSame ? base64 : encodeBase64(clean.bytes));
}
