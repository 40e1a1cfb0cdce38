import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { Mask, MaskPreset } from '../model/case';
import { composePattern } from '../text/pattern';

/** The mask a text names; undefined where it names none. */
export function parseMask(text: string): Mask | undefined {
  if (text.startsWith('/')) return { type: 'path', path: text.slice(1).split('/').map(unescapePointer) };
  const preset = MASK_PRESETS.find(({ name }) => name === text);
  return preset && { type: 'preset', preset };
}

export function formatMask(mask: Mask): string {
  return mask.type === 'preset' ? mask.preset.name : jsonPointer(mask.path);
}

/** A JSON pointer, RFC 6901. */
export function jsonPointer(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function unescapePointer(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The value with what the masks cover replaced by what they are called. `at` is where the value stands in the body. */
export function applyMasks(value: Json, masks: readonly Mask[], at: readonly (string | number)[] = []): Json {
  if (masks.length === 0) return value;
  const presets = masks.flatMap((mask) => (mask.type === 'preset' ? [mask.preset] : []));
  const paths = masks.flatMap((mask) => (mask.type === 'path' ? [mask.path] : []));
  return new Masking(presets).value(value, remainingPaths(paths, at), '');
}

/** The rest of the paths that lead through a place. */
function remainingPaths(paths: readonly (readonly string[])[], at: readonly (string | number)[]): readonly Path[] {
  return at.reduce<readonly Path[]>((open, key) => step(open, String(key)), paths);
}

type Path = readonly string[];

function step(paths: readonly Path[], key: string): readonly Path[] {
  if (paths.length === 0) return paths;
  return paths.filter(([first]) => first === key || first === '*').map((path) => path.slice(1));
}

const MASKED = '<masked>';

class Masking {
  readonly #presets: readonly MaskPreset[];

  constructor(presets: readonly MaskPreset[]) {
    this.#presets = presets;
  }

  value(value: Json, paths: readonly Path[], key: string, holder?: JsonRecord): Json {
    if (paths.some(({ length }) => length === 0)) return MASKED;
    if (typeof value === 'string') return this.#text(value, key, holder);
    if (Array.isArray(value)) return value.map((item, index) => this.value(item, step(paths, `${index}`), ''));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, this.value(item, step(paths, name), name, value)]),
    );
  }

  #text(text: string, key: string, holder: JsonRecord | undefined): string {
    let masked = text;
    for (const preset of this.#presets) {
      if (holder !== undefined && preset.isWhole?.(key, holder) === true) return `<${preset.name}>`;
      for (const [pattern, replacement] of preset.patterns) masked = masked.replace(pattern, replacement);
    }
    return masked;
  }
}

const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)';
const DAY = '(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? )?';
const DATE = `(?:\\d{4}-\\d{2}-\\d{2}|${DAY}${MONTH} \\d{1,2},? \\d{4}|${DAY}\\d{1,2} ${MONTH} \\d{4}|\\d{1,2}/\\d{1,2}/\\d{4})`;
const TIME = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?[AP]M\\b)?';
const ZONE = '(?: ?(?:Z|UTC|GMT)\\b| ?[+-]\\d{2}:?\\d{2}\\b)?';

/** Keys that hold nothing but an id that the other side made up. */
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

/** The ones that may be declared, by name, in the order in which they are applied. */
export const MASK_PRESETS: readonly MaskPreset[] = [
  {
    name: 'provider-id',
    description: 'ids that providers make, such as call_…, toolu_… and chatcmpl-…',
    patterns: [
      [
        /\b(?:chatcmpl|chatcmpl-tool|cmpl|msg|toolu|srvtoolu|call|fc|ctc|resp|rs|ws|run|thread|asst|file|req|gen|item)[-_](?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{8,}/g,
        '<provider-id>',
      ],
    ],
    isWhole: (key, holder) => ID_KEYS.has(key) || (key === 'id' && CALL_TYPES.has(String(holder.type))),
  },
  {
    name: 'uuid',
    description: 'UUIDs',
    patterns: [[/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<uuid>']],
  },
  {
    name: 'timestamp',
    description: 'a date with a time, and seconds or milliseconds since 1970',
    patterns: [
      [composePattern(`\\b${DATE}(?:T|,? (?:at )?)${TIME}${ZONE}`, 'g'), '<timestamp>'],
      [/(?<![\w.-])1[5-9]\d{8}(?:\d{3})?(?:\.\d+)?(?![\w-])/g, '<timestamp>'],
    ],
  },
  {
    name: 'date',
    description: 'dates, such as 2026-04-04 and April 4, 2026',
    patterns: [[composePattern(`(?<!\\d)${DATE}(?!\\d)`, 'g'), '<date>']],
  },
  {
    name: 'temp-path',
    description: 'the random folder of a temporary path; what is below it is compared',
    patterns: [
      [/((?:\/private)?\/var\/folders\/)[\w+.-]+\/[\w+.-]+\/T\/[\w.-]+/g, '<temp-path>'],
      [/(?<![\w.])(?:\/private|\/var)?\/tmp\/[\w.-]+/g, '<temp-path>'],
      [/[A-Za-z]:(\\{1,2}|\/)Users\1[^\\/"'\s]+\1AppData\1Local\1Temp\1[\w.~-]+/g, '<temp-path>'],
    ],
  },
  {
    name: 'port',
    description: 'the port of an address on this machine',
    patterns: [[/\b(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]):\d{2,5}(?!\d)/g, '$1:<port>']],
  },
];
