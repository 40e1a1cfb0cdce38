import { isRecord, type Json, type JsonRecord } from '../json/json';
import { type JsonPath, valueAt } from '../json/jsonPath';
import { listOf } from './fields';

/** A string in an answer that is text of the answer, or a piece of it. */
export interface TextSite {
  readonly path: JsonPath;
  readonly text: string;
}

/** The string at a path, where there is one. */
export function siteAt(json: Json | undefined, ...path: JsonPath): TextSite[] {
  const text = valueAt(json, path);
  return typeof text === 'string' ? [{ path, text }] : [];
}

/** The same sites, seen from the value in which `path` leads to where they are. */
export function below(path: JsonPath, sites: readonly TextSite[]): TextSite[] {
  return sites.map((site) => ({ ...site, path: [...path, ...site.path] }));
}

/** The sites of each record of a list. */
export function eachRecord(list: Json | undefined, sites: (item: JsonRecord) => readonly TextSite[]): TextSite[] {
  return listOf(list).flatMap((item, index) => (isRecord(item) ? below([index], sites(item)) : []));
}

/** Content that is one text, or a list of texts and of parts with text. */
export function contentSites(content: Json | undefined, isText: (part: JsonRecord) => boolean): TextSite[] {
  if (typeof content === 'string') return siteAt(content);
  if (isRecord(content)) return isText(content) ? siteAt(content, 'text') : [];
  return listOf(content).flatMap((part, index) => {
    if (typeof part === 'string') return siteAt(content, index);
    return isRecord(part) && isText(part) ? siteAt(content, index, 'text') : [];
  });
}
