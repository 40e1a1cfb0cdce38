import { isRecord, type Json, type JsonRecord } from '../../../../json/json';
import { keysOf, valueAt } from '../../../../json/jsonPath';
import { parseExactJson } from '../../../../json/readJson';
import { message, t } from '../../../../text/l10n';
import type { Problem, Span } from '../../../../text/source';
import { traceProblem } from './reading';

/** What SDKs and servers put in the place of what they cut off. No text of a model ends so. */
const MARK = /(?:\[truncated[^\]]{0,80}\]?|<truncated[^>]{0,80}>|\.\.\.\(truncated\))$/i;
/** A mark, in a text of this length from its end. */
const MARK_LENGTH = 100;

export function endsCut(text: string): boolean {
  return MARK.test(text.slice(-MARK_LENGTH));
}

const LONGER = message('Raise the limits of the tool that wrote the trace, and run it again.');

/** The texts of an exported object, by their paths, that were cut off: JSON that has no end, a mark in place of the rest, a preview. */
export function cutFields(record: JsonRecord, paths: readonly string[], place: Span): Problem[] {
  const cut = paths.map(keysOf).filter((keys) => isCutField(valueAt(record, keys)));
  return cut.map((keys) => traceProblem(place, t('`{0}` was cut off', keys.at(-1) ?? ''), t(LONGER)));
}

/** Exports of user interfaces have JSON as text. */
function isCutField(value: Json | undefined): boolean {
  if (typeof value !== 'string' || !/^\s*[[{]\s*["{[]/.test(value.slice(0, 64))) return hasMark(value);
  const parsed = parseExactJson(value);
  return parsed === undefined || hasMark(parsed);
}

/** A field that was too large is an object of OpenAI's Agents SDK that says so. */
function hasMark(value: Json | undefined): boolean {
  if (typeof value === 'string') return endsCut(value);
  if (Array.isArray(value)) return value.some(hasMark);
  if (!isRecord(value)) return false;
  return (value.truncated === true && 'preview' in value) || Object.values(value).some(hasMark);
}
