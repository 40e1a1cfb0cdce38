import { isRecord } from '../json/json';
import { parseJson } from '../json/readJson';

/** The largest picture that a page shows, in characters of base64. */
const LARGEST_PICTURE = 200_000;

/** A part of a message that is not text: of its content, only a picture that a page shows. */
export interface PageMedia {
  readonly mime?: string;
  readonly base64?: string;
  readonly url?: string;
  /** Of its content. */
  readonly kilobytes?: number;
}

/** The media in one side of a change; undefined for what is none. */
export function clipMedia(text: string): PageMedia | undefined {
  if (text === '') return {};
  const part = parseJson(text);
  if (!isRecord(part)) return undefined;
  const { mime, base64, url } = part;
  const isShown = typeof mime === 'string' && mime.startsWith('image/');
  return {
    ...(typeof mime === 'string' && { mime }),
    ...(typeof url === 'string' && { url: url.slice(0, 200) }),
    ...(typeof base64 === 'string' && { kilobytes: Math.ceil((base64.length * 3) / 4000) }),
    ...(typeof base64 === 'string' && isShown && base64.length <= LARGEST_PICTURE && { base64 }),
  };
}
