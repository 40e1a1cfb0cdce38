import { isRecord, type Json } from '../json/json';
import { isBlank } from '../wire/fields';

/**
 * The members under which providers tell what an answer rests on: Anthropic's and Cohere's `citations`, OpenAI's
 * `annotations`, Gemini's `citationMetadata`, Bedrock's `citationsContent`, Perplexity's `search_results`.
 */
const MEMBERS = ['citations', 'annotations', 'citationMetadata', 'citationsContent', 'search_results'];
/** The lists in those that are no list themselves. */
const LISTS = ['citations', 'citationSources'];
/** A source is told within so many levels of its citation. */
const MAX_DEPTH = 5;

/** What an answer cites, a line for each source; undefined for what is no list of sources. */
export function citedSources(raw: Json): string | undefined {
  if (!isRecord(raw)) return undefined;
  const [member, ...others] = Object.keys(raw);
  if (member === undefined || others.length > 0 || !MEMBERS.includes(member)) return undefined;
  const cited = listIn(raw[member] ?? null);
  const lines = [...new Set(cited.map(sourceLine))];
  return cited.length === 0 || lines.includes('') ? undefined : lines.join('\n');
}

function listIn(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return [];
  const list = LISTS.map((name) => value[name]).find((found) => !isBlank(found));
  return Array.isArray(list) ? list : [];
}

/** `"what it says": Title, https://where.it/is` */
function sourceLine(citation: Json): string {
  if (typeof citation === 'string') return citation;
  const words = textIn(citation, ['cited_text', 'citedText', 'text', 'snippet', 'content']);
  const title = textIn(citation, ['title', 'filename', 'document_title', 'domain']);
  const place = textIn(citation, ['url', 'uri', 'file_id']);
  const from = [...new Set([title, place])].filter((text) => text !== undefined).join(', ');
  return [words && `"${words}"`, from].filter(Boolean).join(': ');
}

/** The text of the first such member, the nearest level first. */
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
