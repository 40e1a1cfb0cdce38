import type { JsonRecord } from '../json/json';

/** A kind of value that differs from run to run and means nothing. */
export interface MaskPreset {
  readonly name: string;
  /** As people are told, such as "ids that providers make". */
  readonly about: string;
  /** What is replaced inside a text. What a group captures stays. */
  readonly patterns: readonly (readonly [RegExp, string])[];
  /** Is the text at this key of this object covered as a whole? */
  isWhole?(key: string, holder: JsonRecord): boolean;
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
export const PRESETS: readonly MaskPreset[] = [
  {
    name: 'provider-id',
    about: 'ids that providers make, such as call_…, toolu_… and chatcmpl-…',
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
    about: 'UUIDs',
    patterns: [[/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<uuid>']],
  },
  {
    name: 'timestamp',
    about: 'a date with a time, and seconds or milliseconds since 1970',
    patterns: [
      [new RegExp(`\\b${DATE}(?:T|,? (?:at )?)${TIME}${ZONE}`, 'g'), '<timestamp>'],
      [/(?<![\w.-])1[5-9]\d{8}(?:\d{3})?(?:\.\d+)?(?![\w-])/g, '<timestamp>'],
    ],
  },
  {
    name: 'date',
    about: 'dates, such as 2026-04-04 and April 4, 2026',
    patterns: [[new RegExp(`(?<!\\d)${DATE}(?!\\d)`, 'g'), '<date>']],
  },
  {
    name: 'temp-path',
    about: 'the random folder of a temporary path; what is below it is compared',
    patterns: [
      [/((?:\/private)?\/var\/folders\/)[\w+.-]+\/[\w+.-]+\/T\/[\w.-]+/g, '<temp-path>'],
      [/(?<![\w.])(?:\/private|\/var)?\/tmp\/[\w.-]+/g, '<temp-path>'],
      [/[A-Za-z]:(\\{1,2}|\/)Users\1[^\\/"'\s]+\1AppData\1Local\1Temp\1[\w.~-]+/g, '<temp-path>'],
    ],
  },
  {
    name: 'port',
    about: 'the port of an address on this machine',
    patterns: [[/\b(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]):\d{2,5}(?!\d)/g, '$1:<port>']],
  },
];
