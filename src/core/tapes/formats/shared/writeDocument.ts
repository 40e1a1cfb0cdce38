import { stringifyLike, unicodeEscape } from '../../../json/editJson';
import type { Json, JsonRecord } from '../../../json/json';
import { copyWrittenNumbers } from '../../../json/writtenNumbers';
import type { HttpExchange } from '../../../model/http';
import type { RecordedInteraction } from '../../../model/interaction';
import { type Syntax, syntaxNamed, syntaxOf } from '../../../syntax/textDocument';
import { decompressExchange } from '../../../wire/body/bodyContent';
import { YamlBinary, type YamlRecord, type YamlValue } from '../../../yaml/writeYaml';
import type { Destination } from '../../format';
import { recordedExchange } from './recordedHttp';

/** How a format that is read in several syntaxes is written in each. */
export interface Dialects {
  /** The syntaxes in which its recorder writes new tapes, as their names tell; the first where they do not. */
  readonly recorded: readonly ['json' | 'yaml', ...Syntax[]];
  json(document: JsonRecord): string;
  yaml(document: YamlRecord): string;
  toml?(document: JsonRecord): string;
}

type Recorded = Pick<Dialects, 'recorded'>;

/** The syntax of a new tape: that of the tape that it replaces, or else that of its name. */
function syntaxOfNew(into: Destination | undefined, { recorded }: Recorded): Syntax {
  if (into?.replaces !== undefined) return syntaxOf(into.replaces);
  const named = syntaxNamed(into?.path ?? '');
  return recorded.find((syntax) => syntax === named) ?? recorded[0];
}

export function isJsonFile(into: Destination | undefined, dialects: Recorded): boolean {
  return syntaxOfNew(into, dialects) === 'json';
}

/** Writes a document in the syntax of the tape that it replaces, or else in that of its name. JSON is laid out like the old tape. */
export function writeDocument(document: YamlRecord, into: Destination | undefined, dialects: Dialects): string {
  const syntax = syntaxOfNew(into, dialects);
  if (syntax === 'yaml') return dialects.yaml(document);
  const json = recordOf(document);
  if (syntax === 'toml' && dialects.toml !== undefined) return dialects.toml(json);
  const old = into?.replaces;
  if (old === undefined) return dialects.json(json);
  const text = `${stringifyLike(json, old)}${/\n\s*$/.test(old) ? '\n' : ''}`;
  // A recorder that writes ASCII may read nothing else: Python opens files in the encoding of the system.
  return BEYOND_ASCII.test(old) ? text : text.replace(/[^\0-\x7f]/g, unicodeEscape);
}

const BEYOND_ASCII = /[^\0-\x7f]/;

function jsonOf(value: YamlValue): Json {
  if (value instanceof YamlBinary) return value.base64;
  if (typeof value !== 'object' || value === null) return value;
  if (!isList(value)) return recordOf(value);
  const items = value.map(jsonOf);
  copyWrittenNumbers(value, items);
  return items;
}

function recordOf(record: YamlRecord): JsonRecord {
  const members = Object.entries(record).flatMap(([key, value]) => (value === undefined ? [] : [[key, jsonOf(value)]]));
  const json: JsonRecord = Object.fromEntries(members);
  copyWrittenNumbers(record, json);
  return json;
}

function isList(value: YamlRecord | readonly YamlValue[]): value is readonly YamlValue[] {
  return Array.isArray(value);
}

/**
 * The exchanges for a format whose JSON has no place for bytes, while its YAML has one. In JSON they are without compression, as
 * recorders store them there that can.
 */
export function exchangesWithin(
  interactions: readonly RecordedInteraction[],
  into: Destination | undefined,
  dialects: Recorded,
): readonly HttpExchange[] {
  const exchanges = interactions.map(recordedExchange);
  return isJsonFile(into, dialects) ? exchanges.map(decompressExchange) : exchanges;
}
