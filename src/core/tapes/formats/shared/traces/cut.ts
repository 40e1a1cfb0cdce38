import { isRecord, type Json, type JsonRecord } from '../../../../json/json';
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

/** The fields of an exported object in which something was cut off: JSON that has no end, a mark in place of the rest, a preview. */
export function cutFields(record: JsonRecord, fields: readonly string[], place: Span): Problem[] {
  const cut = fields.filter((field) => isCutField(record[field]));
  return cut.map((field) => traceProblem(place, t('`{0}` was cut off', field), t(LONGER)));
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
