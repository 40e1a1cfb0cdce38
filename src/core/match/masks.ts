import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { JsonPath } from '../json/jsonPath';
import {
  isCovered,
  jsonPointer,
  type PointerPattern,
  parsePointer,
  patternsAt,
  patternsBelow,
} from '../json/jsonPointer';
import type { Mask, MaskPreset } from '../model/case';
import { message } from '../text/l10n';
import { composePattern } from '../text/pattern';

/** Parses a preset's name or a JSON pointer; undefined for anything else. */
export function parseMask(text: string): Mask | undefined {
  if (text.startsWith('/')) return { type: 'path', path: parsePointer(text) };
  const preset = MASK_PRESETS.find(({ name }) => name === text);
  return preset && { type: 'preset', preset };
}

export function formatMask(mask: Mask): string {
  return mask.type === 'preset' ? mask.preset.name : jsonPointer(mask.path);
}

export interface MaskedPlace {
  /** The path of the value in the body. */
  readonly at?: JsonPath;
  /**
   * Whether a member that is nothing but what a preset covers is left out as well. So it is among the settings of a call; of what is
   * said, such as the arguments of a tool, it counts that there is a date or an id.
   */
  readonly isSettings?: boolean;
}

/**
 * What masks leave of a value; undefined where they cover it. A member that they cover is left out, as if it were absent, and with
 * it the objects and lists of which nothing is left. In a text, what presets cover is replaced by their names.
 */
export function applyMasks(value: Json, masks: readonly Mask[], place?: MaskedPlace): Json | undefined {
  return masking(masks)(value, place);
}

/** The same for several values of one body. */
export function masking(masks: readonly Mask[]): (value: Json, place?: MaskedPlace) => Json | undefined {
  if (masks.length === 0) return (value) => value;
  const presets = masks.flatMap((mask) => (mask.type === 'preset' ? [mask.preset] : []));
  const paths = pathsOf(masks);
  const [ofSettings, ofOthers] = [new Masking(presets, true), new Masking(presets, false)];
  return (value, { at = [], isSettings = false } = {}) =>
    (isSettings ? ofSettings : ofOthers).value(value, patternsAt(paths, at), '');
}

/** The path of a value in what masks leave of the body: elements that they cover have no place in their list. */
export function pathLeftBy(masks: readonly Mask[], path: JsonPath): JsonPath {
  const paths = pathsOf(masks).filter((mask) => mask.length <= path.length && isIndex(mask.at(-1)));
  if (paths.length === 0) return path;
  return path.map((key, at) => {
    if (typeof key !== 'number') return key;
    const before = patternsAt(paths, path.slice(0, at)).flatMap((rest) => (rest.length === 1 ? rest : []));
    return key - new Set(before.filter((index) => Number(index) < key)).size;
  });
}

/** The masks without those that cover single elements of lists; undefined if there are none. */
export function withoutElementMasks(masks: readonly Mask[]): readonly Mask[] | undefined {
  const others = masks.filter((mask) => mask.type === 'preset' || !isIndex(mask.path.at(-1)));
  return others.length === masks.length ? undefined : others;
}

function isIndex(key = ''): boolean {
  return /^\d+$/.test(key);
}

function pathsOf(masks: readonly Mask[]): readonly PointerPattern[] {
  return masks.flatMap((mask) => (mask.type === 'path' ? [mask.path] : []));
}

class Masking {
  readonly #presets: readonly MaskPreset[];
  readonly #isSettings: boolean;
  readonly #placeholders: ReadonlySet<Json>;

  constructor(presets: readonly MaskPreset[], isSettings: boolean) {
    this.#presets = presets;
    this.#isSettings = isSettings;
    this.#placeholders = new Set(presets.map(placeholder));
  }

  /** The value itself where the masks leave all of it. */
  value(value: Json, paths: readonly PointerPattern[], key: string, holder?: JsonRecord): Json | undefined {
    if (isCovered(paths)) return undefined;
    if (typeof value === 'string') return this.#text(value, key, holder);
    if (Array.isArray(value)) return this.#items(value, paths);
    return isRecord(value) ? this.#members(value, paths) : value;
  }

  #items(items: readonly Json[], paths: readonly PointerPattern[]): Json {
    const left = items.map((item, index) => this.value(item, patternsBelow(paths, `${index}`), ''));
    const isSame = left.every((item, index) => item === items[index]);
    return isSame ? (items as Json) : left.filter((item) => item !== undefined);
  }

  #members(record: JsonRecord, paths: readonly PointerPattern[]): JsonRecord {
    const entries = Object.entries(record);
    let left: [string, Json][] | undefined;
    for (const [at, [name, item]] of entries.entries()) {
      const now = this.#member(item, patternsBelow(paths, name), name, record);
      if (now === item && left === undefined) continue;
      left ??= entries.slice(0, at);
      if (now !== undefined) left.push([name, now]);
    }
    return left === undefined ? record : Object.fromEntries(left);
  }

  /** An object of which nothing is left is the same as none: the other request may have none. */
  #member(value: Json, paths: readonly PointerPattern[], key: string, holder: JsonRecord): Json | undefined {
    const left = this.value(value, paths, key, holder);
    if (left === undefined || (isEmptyHolder(left) && (paths.length > 0 || !isEmptyHolder(value)))) return undefined;
    return this.#isSettings && this.#placeholders.has(left) ? undefined : left;
  }

  #text(text: string, key: string, holder: JsonRecord | undefined): string {
    let masked = text;
    for (const preset of this.#presets) {
      if (holder !== undefined && preset.isWhole?.(key, holder) === true) return placeholder(preset);
      // Most texts have nothing to mask, for which the patterns need not even be compiled.
      for (const [pattern, replacement, parts] of preset.patterns)
        if (parts.some((part) => masked.includes(part))) masked = masked.replace(pattern, replacement);
    }
    return masked;
  }
}

function placeholder({ name }: MaskPreset): string {
  return `<${name}>`;
}

function isEmptyHolder(value: Json): boolean {
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}

const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)';
const DAY = '(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? )?';
const DATE = `(?:\\d{4}-\\d{2}-\\d{2}|${DAY}${MONTH} \\d{1,2},? \\d{4}|${DAY}\\d{1,2} ${MONTH} \\d{4}|\\d{1,2}/\\d{1,2}/\\d{4})`;
const TIME = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?[AP]M\\b)?';
/** One of these is in every date. */
const DATE_PARTS = ['-', '/', ...'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')];
const ZONE = '(?: ?(?:Z|UTC|GMT)\\b| ?[+-]\\d{2}:?\\d{2}\\b)?';

/** Keys whose value is always a generated id. */
const ID_KEYS: ReadonlySet<string> = new Set([
  'tool_call_id',
  'tool_use_id',
  'call_id',
  'toolUseId',
  'previous_response_id',
]);
const CALL_TYPES: ReadonlySet<string> = new Set([
  'function',
  'tool_use',
  'function_call',
  'custom_tool_call',
  'reasoning',
]);

/** The presets that a case may declare by name, in the order in which they are applied. */
export const MASK_PRESETS: readonly MaskPreset[] = [
  {
    name: 'provider-id',
    description: message('ids generated by providers, such as call_…, toolu_… and chatcmpl-…'),
    patterns: [
      [
        /\b(?:chatcmpl|chatcmpl-tool|cmpl|msg|toolu|srvtoolu|call|fc|ctc|resp|rs|ws|run|thread|asst|file|req|gen|item)[-_](?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{8,}/g,
        '<provider-id>',
        ['-', '_'],
      ],
    ],
    isWhole: (key, holder) => ID_KEYS.has(key) || (key === 'id' && CALL_TYPES.has(String(holder.type))),
  },
  {
    name: 'uuid',
    description: message('UUIDs'),
    patterns: [[/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<uuid>', ['-']]],
  },
  {
    name: 'timestamp',
    description: message('dates with a time, and seconds or milliseconds since 1970'),
    patterns: [
      [composePattern(`\\b${DATE}(?:T|,? (?:at )?)${TIME}${ZONE}`, 'g'), '<timestamp>', DATE_PARTS],
      [/(?<![\w.-])1[5-9]\d{8}(?:\d{3})?(?:\.\d+)?(?![\w-])/g, '<timestamp>', ['15', '16', '17', '18', '19']],
    ],
  },
  {
    name: 'date',
    description: message('dates, such as 2026-04-04 and April 4, 2026'),
    patterns: [[composePattern(`(?<!\\d)${DATE}(?!\\d)`, 'g'), '<date>', DATE_PARTS]],
  },
  {
    name: 'temp-path',
    description: message('the random folder in a temporary path; the rest of the path is compared'),
    patterns: [
      [/((?:\/private)?\/var\/folders\/)[\w+.-]+\/[\w+.-]+\/T\/[\w.-]+/g, '<temp-path>', ['/var/folders/']],
      [/(?<![\w.])(?:\/private|\/var)?\/tmp\/[\w.-]+/g, '<temp-path>', ['/tmp/']],
      [/[A-Za-z]:(\\{1,2}|\/)Users\1[^\\/"'\s]+\1AppData\1Local\1Temp\1[\w.~-]+/g, '<temp-path>', ['AppData']],
    ],
  },
  {
    name: 'port',
    description: message('the port of a local address'),
    patterns: [
      [
        /\b(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]):\d{2,5}(?!\d)/g,
        '$1:<port>',
        ['localhost:', '127.0.0.1:', '0.0.0.0:', '[::1]:'],
      ],
    ],
  },
];
