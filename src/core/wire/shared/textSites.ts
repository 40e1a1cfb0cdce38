import { asIndex, asList } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import { type JsonPath, valueAt } from '../../json/jsonPath';
import type { PieceSite, StreamEvent, TextSite } from '../protocol';

/** The string at a path, if there is one. */
export function stringSite(json: Json | undefined, ...path: JsonPath): TextSite[] {
  const text = valueAt(json, path);
  return typeof text === 'string' ? [{ path, text }] : [];
}

/** Sites relative to the value at `path`, made relative to the value that contains it. */
export function nestSites<T extends TextSite>(path: JsonPath, sites: readonly T[]): T[] {
  return sites.map((site) => ({ ...site, path: [...path, ...site.path] }));
}

/** The sites of each record of a list. */
export function recordSites(list: Json | undefined, sites: (item: JsonRecord) => readonly TextSite[]): TextSite[] {
  return asList(list).flatMap((item, index) => (isRecord(item) ? nestSites([index], sites(item)) : []));
}

/** The sites of content that is a string, or a list of strings and of parts with a `text`. */
export function contentSites(content: Json | undefined, isText: (part: JsonRecord) => boolean): TextSite[] {
  if (typeof content === 'string') return stringSite(content);
  if (isRecord(content)) return isText(content) ? stringSite(content, 'text') : [];
  return asList(content).flatMap((part, index) => {
    if (typeof part === 'string') return stringSite(content, index);
    return isRecord(part) && isText(part) ? stringSite(content, index, 'text') : [];
  });
}

/** Whether a part of OpenAI's protocols, or of those modelled on them, is text. */
export function isTextPart({ type }: JsonRecord): boolean {
  return type === undefined || type === 'text' || type === 'input_text' || type === 'output_text';
}

export function isTextBlock({ type }: JsonRecord): boolean {
  return type === 'text';
}

export function pieceSites(occurrence: string, segment: string | number, sites: readonly TextSite[]): PieceSite[] {
  return sites.map((site) => ({ ...site, occurrence, segment: `${segment}` }));
}

/** The lowest `index` among the choices of a stream: that choice is the response, whichever comes first. */
export function lowestIndex(
  events: readonly StreamEvent[],
  choicesIn: (json: JsonRecord) => readonly JsonRecord[],
): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const { json } of events) for (const { index } of choicesIn(json)) lowest = Math.min(lowest, asIndex(index));
  return lowest;
}
