import { encodeBase64 } from '../bytes/base64';
import type { MediaPart } from '../model/message';

/** Images and sounds that are part of the tape and can be shown safely: nothing is fetched, and nothing runs. */
export interface EmbeddedMedia {
  readonly type: 'image' | 'audio';
  readonly mime: string;
  readonly base64: string;
}

const SHOWABLE =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|audio\/(?:mpeg|mp3|wav|x-wav|wave|flac|ogg|opus|aac|mp4|webm))$/;

/** The first bytes of files in base64, for recordings without a media type. */
const BEGINNINGS: readonly (readonly [start: string, mime: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'audio/wav'],
  ['SUQz', 'audio/mpeg'],
  ['//s', 'audio/mpeg'],
  ['//P', 'audio/mpeg'],
  ['T2dnUw', 'audio/ogg'],
  ['ZkxhQw', 'audio/flac'],
];

/** The media of a part; undefined for a file, a URL, or a type that is not known to be safe. */
export function embeddedMedia({ type, mime = '', base64 }: MediaPart): EmbeddedMedia | undefined {
  if (type === 'file' || base64 === undefined) return undefined;
  const plain = mime.toLowerCase().replace(/;.*$/, '').trim();
  if (SHOWABLE.test(plain)) return { type: plain.startsWith('image/') ? 'image' : 'audio', mime: plain, base64 };
  const rate = Number(/rate=(\d+)/.exec(mime)?.[1] ?? 24_000);
  if (/^audio\/(?:pcm|l16|pcm16)$/.test(plain))
    return { type: 'audio', mime: 'audio/wav', base64: pcmAsWav(base64, rate) };
  const known = BEGINNINGS.find(([start, found]) => base64.startsWith(start) && found.startsWith(`${type}/`));
  return known && { type, mime: known[1], base64 };
}

/**
 * Puts a WAV header before raw samples (16 bit, little-endian, mono). The header is 48 bytes long, a multiple of three, so
 * that the base64 of the samples can follow its own. Layout: Microsoft's RIFF WAVE, with an extended `fmt ` chunk.
 */
export function pcmAsWav(samples: string, rate: number): string {
  const data = samples.replace(/\s+/g, '');
  const size = Math.floor((data.length * 3) / 4) - (/=*$/.exec(data)?.[0].length ?? 0);
  const header = new DataView(new ArrayBuffer(48));
  const text = (at: number, word: string): void => {
    for (const [index, code] of [...new TextEncoder().encode(word)].entries()) header.setUint8(at + index, code);
  };
  text(0, 'RIFF');
  header.setUint32(4, 40 + size, true);
  text(8, 'WAVEfmt ');
  header.setUint32(16, 20, true);
  header.setUint16(20, 1, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, rate, true);
  header.setUint32(28, rate * 2, true);
  header.setUint16(32, 2, true);
  header.setUint16(34, 16, true);
  header.setUint16(36, 2, true);
  text(40, 'data');
  header.setUint32(44, size, true);
  return encodeBase64(new Uint8Array(header.buffer)) + data;
}
