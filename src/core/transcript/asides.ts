import { prettyJson } from '../json/json';
import type { HttpExchange, Interaction, MediaPart, Part } from '../tapes/tape';
import { type EmbeddedMedia, embeddedMedia } from './embeddedMedia';

/** What belongs to a message and is not its text: told in a line, shown on demand. */
export interface TranscriptAside {
  /** What it is, such as "Reasoning" or "Image". */
  readonly label: string;
  readonly text: string;
  /** An image or a sound that is on the tape itself. */
  readonly media?: EmbeddedMedia;
}

/** The parts of a message that are neither its text nor its tool calls. */
export function asidesOf(parts: readonly Part[] = []): readonly TranscriptAside[] {
  return parts.flatMap((part) => asideOf(part) ?? []);
}

function asideOf(part: Part): TranscriptAside | undefined {
  switch (part.type) {
    case 'text':
      return undefined;
    case 'reasoning':
      return { label: 'Reasoning', text: part.text || 'encrypted: only the provider can read it' };
    case 'refusal':
      return { label: 'Refusal', text: part.text };
    case 'image':
    case 'audio':
    case 'file':
      return { label: MEDIA_LABELS[part.type], text: describeMedia(part), ...withMedia(part) };
    case 'server_tool':
      return { label: `${part.name} (run by the provider)`, text: prettyJson(part.payload) };
    case 'embeddings':
      return { label: 'Embeddings', text: describeVectors(part.count, part.dimensions) };
    case 'unknown':
      return { label: 'Not understood', text: prettyJson(part.raw) };
  }
}

const MEDIA_LABELS: Record<MediaPart['type'], string> = { image: 'Image', audio: 'Audio', file: 'File' };

function withMedia(part: MediaPart): Pick<TranscriptAside, 'media'> {
  const media = embeddedMedia(part);
  return media === undefined ? {} : { media };
}

/** Four characters of base64 are three bytes. */
function describeMedia({ name, mime, base64, url }: MediaPart): string {
  const size = base64 === undefined ? undefined : `${((base64.length * 3) / 4 / 1000).toFixed(1)} kB`;
  return [name, mime, size, url].filter((fact) => fact !== undefined).join(', ') || 'not on this tape';
}

function describeVectors(count: number, dimensions: number | undefined): string {
  const vectors = `${count} vector${count === 1 ? '' : 's'}`;
  return dimensions === undefined ? vectors : `${vectors} of ${dimensions} dimensions`;
}

/** Traffic that is no call of a model, in a line. */
export function describeHttp({ http, summary, response }: Interaction): string {
  const outcome = summary ?? response?.error;
  const lines = [http === undefined ? '' : requestLine(http), outcome ?? ''];
  return lines.filter((line) => line !== '').join(' ');
}

function requestLine({ method, url, status }: HttpExchange): string {
  return `\`${method.toUpperCase()} ${url.replaceAll('`', '')}\`${status === undefined ? '' : ` **${status}**`}`;
}
