import { isBlank, omitKeys } from '../json/fields';
import { isRecord, type Json, prettyJson } from '../json/json';
import type { HttpExchange } from '../model/http';
import type { Interaction } from '../model/interaction';
import type { MediaPart, Part } from '../model/message';
import { counted, grouped } from '../text/counts';
import { message, t } from '../text/l10n';
import { stripHttpStatus } from '../wire/shared/errors';
import { type EmbeddedMedia, embeddedMedia } from './embeddedMedia';

/** Content of a message besides its text and tool calls. */
export interface MessageExtra {
  /** Such as "Reasoning" or "Image". */
  readonly label: string;
  readonly text: string;
  /** The image or sound, if it is on the tape. */
  readonly media?: EmbeddedMedia;
}

/** The parts of a message that are neither its text nor its tool calls. */
export function messageExtras(parts: readonly Part[] = []): readonly MessageExtra[] {
  const extras = parts.flatMap((part) => messageExtra(part) ?? []);
  const sources = extras.filter(({ label }) => label === t(SOURCES));
  if (sources.length < 2) return extras;
  // Some providers list them sentence by sentence.
  const text = [...new Set(sources.flatMap((extra) => extra.text.split('\n')))].join('\n');
  return [...extras.filter(({ label }) => label !== t(SOURCES)), { label: t(SOURCES), text }];
}

const SOURCES = message('Sources');

function messageExtra(part: Part): MessageExtra | undefined {
  switch (part.type) {
    case 'text':
      return undefined;
    case 'reasoning':
      return { label: t('Reasoning'), text: part.text || t('encrypted; only the provider can read it') };
    case 'refusal':
      return { label: t('Refusal'), text: part.text };
    case 'image':
    case 'audio':
    case 'file':
      return { label: t(MEDIA_LABELS[part.type]), text: describeMedia(part), ...withMedia(part) };
    case 'server_tool':
      return describeServerTool(part.name, part.payload);
    case 'embeddings':
      return { label: t('Embeddings'), text: describeVectors(part.count, part.dimensions) };
    case 'unknown':
      return describeUnknown(part.raw);
  }
}

const MEDIA_LABELS: Record<MediaPart['type'], string> = {
  image: message('Image'),
  audio: message('Audio'),
  file: message('File'),
};

function withMedia(part: MediaPart): Pick<MessageExtra, 'media'> {
  const media = embeddedMedia(part);
  return media === undefined ? {} : { media };
}

/** The least informative members of a tool's call or result, which are shown last. */
const ENVELOPE = ['type', 'id', 'name', 'status', 'caller', 'tool_use_id', 'toolUseId'];

function describeServerTool(name: string, payload: Json): MessageExtra {
  const isResult = isRecord(payload) && typeof payload.type === 'string' && payload.type.endsWith('_result');
  const label = isResult ? t('{0} result (run by the provider)', name) : t('{0} (run by the provider)', name);
  if (!isRecord(payload)) return { label, text: prettyJson(payload) };
  const envelope = Object.fromEntries(Object.entries(payload).filter(([key]) => ENVELOPE.includes(key)));
  return { label, text: prettyJson({ ...omitKeys(payload, ...ENVELOPE), ...envelope }) };
}

/** Sources and inputs sent as tokens are recognised for every provider. */
function describeUnknown(raw: Json): MessageExtra {
  const sources = citedSources(raw);
  if (sources !== undefined) return { label: t(SOURCES), text: sources };
  if (isRecord(raw) && Object.keys(raw).length === 1 && typeof raw.tokens === 'number')
    return {
      label: t('Input'),
      text: counted(raw.tokens, '{0} token, sent as token ids', '{0} tokens, sent as token ids'),
    };
  return { label: unsupportedLabel(raw), text: prettyJson(raw) };
}

/** "Unsupported content: container_upload", by the provider's own type. */
function unsupportedLabel(raw: Json): string {
  const type = isRecord(raw) && typeof raw.type === 'string' ? raw.type.slice(0, MAX_TYPE_LENGTH) : '';
  return type === '' ? t('Unsupported content') : t('Unsupported content: {0}', type);
}

const MAX_TYPE_LENGTH = 60;

/** Name, media type, size and URL, as far as they are known. Four characters of base64 are three bytes. */
function describeMedia({ name, mime, base64, url }: MediaPart): string {
  const size = base64 === undefined ? undefined : byteSize((base64.length * 3) / 4);
  return [name, mime, size, url].filter((fact) => fact !== undefined).join(', ') || t('not on this tape');
}

function byteSize(bytes: number): string {
  return bytes < 1_000_000 ? t('{0} kB', (bytes / 1000).toFixed(1)) : t('{0} MB', (bytes / 1_000_000).toFixed(1));
}

function describeVectors(count: number, dimensions: number | undefined): string {
  return dimensions === undefined
    ? counted(count, '{0} vector', '{0} vectors')
    : counted(count, '{0} vector of {1} dimensions', '{0} vectors of {1} dimensions', grouped(dimensions));
}

/** HTTP traffic other than model calls, in a line. */
export function describeHttp({ http, summary, response }: Interaction): string {
  const outcome = summary ?? response?.error ?? '';
  const lines = http === undefined ? [outcome] : [requestLine(http), stripHttpStatus(outcome)];
  return lines.filter((line) => line !== '').join(' ');
}

function requestLine({ method, url, status }: HttpExchange): string {
  return `\`${method.toUpperCase()} ${url.replaceAll('`', '')}\`${status === undefined ? '' : ` **${status}**`}`;
}

/**
 * The members in which providers cite sources: Anthropic's and Cohere's `citations`, OpenAI's
 * `annotations`, Gemini's `citationMetadata`, Bedrock's `citationsContent`, Perplexity's `search_results`.
 */
const SOURCE_MEMBERS = ['citations', 'annotations', 'citationMetadata', 'citationsContent', 'search_results'];
/** The lists within those members that are not lists themselves. */
const SOURCE_LISTS = ['citations', 'citationSources'];
/** Levels of a citation that are searched for its source. */
const MAX_DEPTH = 5;

/** The cited sources, one per line; undefined for anything else. */
function citedSources(raw: Json): string | undefined {
  if (!isRecord(raw)) return undefined;
  const [member, ...others] = Object.keys(raw);
  if (member === undefined || others.length > 0 || !SOURCE_MEMBERS.includes(member)) return undefined;
  const cited = listIn(raw[member] ?? null);
  const lines = [...new Set(cited.map(sourceLine))];
  return cited.length === 0 || lines.includes('') ? undefined : lines.join('\n');
}

function listIn(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return [];
  const list = SOURCE_LISTS.map((name) => value[name]).find((found) => !isBlank(found));
  return Array.isArray(list) ? list : [];
}

/** `"cited text": Title, https://example.com/page` */
function sourceLine(citation: Json): string {
  if (typeof citation === 'string') return citation;
  const words = textIn(citation, ['cited_text', 'citedText', 'text', 'snippet', 'content']);
  const title = textIn(citation, ['title', 'filename', 'document_title', 'domain']);
  const place = textIn(citation, ['url', 'uri', 'file_id']);
  const from = [...new Set([title, place])].filter((text) => text !== undefined).join(', ');
  return [words && `"${words}"`, from].filter(Boolean).join(': ');
}

/** The text of the first of these members, the outermost level first. */
function textIn(value: Json, names: readonly string[]): string | undefined {
  let level: readonly Json[] = [value];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const records = level.filter(isRecord);
    for (const name of names)
      for (const record of records) {
        const text = record[name];
        if (typeof text === 'string' && text.trim() !== '') return text.trim().replaceAll(/\s+/g, ' ');
      }
    level = level.flatMap((item) => (Array.isArray(item) ? item : isRecord(item) ? Object.values(item) : []));
  }
  return undefined;
}
