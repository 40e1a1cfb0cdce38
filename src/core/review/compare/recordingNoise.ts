import { diffValues } from '../../diff/diffValues';
import { isRecord, type Json } from '../../json/json';
import type { JsonPath } from '../../json/jsonPath';
import { parseJson } from '../../json/readJson';
import { composePattern } from '../../text/pattern';
import { isNoisyHeader } from './headerNoise';
import { isVolatileValue } from './noise';
import type { Normaliser } from './normaliser';
import { fitsField, RUN_NAMES } from './volatileFields';

/**
 * Members that are written anew with every recording, with everything in them. This list, the one below, and that of headers are all
 * that a change may be in that no reader knows; the manual has them as a table.
 */
export const NOISY_MEMBERS: readonly { readonly about: string; readonly names: readonly string[] }[] = [
  {
    about: 'the version and the status text of HTTP',
    names: ['http_version', 'proto', 'status_text', 'server_ipaddress', 'cookies'],
  },
  { about: 'durations', names: ['timings', 'page_timings'] },
  {
    about: 'token counts',
    names: ['usage', 'usage_metadata', 'prompt_eval_count', 'eval_count', 'amazon_bedrock_invocation_metrics'],
  },
  {
    about: 'what a provider adds to a response',
    names: [
      ...['system_fingerprint', 'service_tier', 'safety_ratings', 'logprobs', 'logprobs_result', 'avg_logprobs'],
      ...['obfuscation', 'encrypted_content', 'signature', 'thought_signature'],
    ],
  },
];
const NOISY_NAMES: ReadonlySet<string> = new Set(NOISY_MEMBERS.flatMap(({ names }) => names));

/** Members that hold headers. */
const HEADERS = /^(?:(?:request|response)_)?(?:headers|trailers)$/;

/** Members that are noise if their values have the shape that their names promise. */
export const NOISY_VALUES: readonly NoisyValue[] = [
  {
    about: 'a duration, as a number; also with a unit behind the name',
    names: ['duration', 'latency', 'elapsed', 'took', 'runtime', 'ttft', 'time', 'wait'],
    isEnding: true,
    unit: '(?:_?(?:ms|millis|s|secs|seconds|us|ns))?',
    fits: isNumber,
  },
  { about: 'a size, as a number', names: ['length', 'size', 'bytes', 'connection'], isEnding: true, fits: isNumber },
  {
    about: 'a place in a list, or a version of HTTP, as a number',
    names: ['index', 'sequence', 'seq', 'sequence_number', 'proto_major', 'proto_minor'],
    isEnding: true,
    fits: isNumber,
  },
  {
    about: 'a time',
    names: ['at', 'on', 'date', 'time', 'timestamp', 'ts', 'created', 'updated', 'started', 'completed', 'expires'],
    isEnding: true,
    fits: isTime,
  },
  // An id with another name may be that of a customer, an order, or a file.
  {
    about: 'an id that was generated',
    names: ['id', 'uuid', 'guid', 'pageref', 'item_id', ...RUN_NAMES.map((name) => `${name}_id`)],
    fits: isGenerated,
  },
  {
    about: 'a digest',
    names: ['hash', 'digest', 'checksum', 'sha1', 'sha256', 'md5', 'etag', 'fingerprint'],
    isEnding: true,
    fits: isDigest,
  },
  // Behind the code, not in a body.
  {
    about: 'the reason of an HTTP status',
    names: ['status.message', 'response.status.message'],
    isWhole: true,
    fits: isShortText,
  },
];

interface NoisyValue {
  /** For the manual. */
  readonly about: string;
  /** In `snake_case`, with dots between members. */
  readonly names: readonly string[];
  /** The name may have another word before it: `created_at`. */
  readonly isEnding?: true;
  /** The name is the whole path. */
  readonly isWhole?: true;
  /** What may follow the name, as a pattern. */
  readonly unit?: string;
  fits(value: Json): boolean;
}

const VALUES = NOISY_VALUES.map(({ names, isEnding, isWhole, unit = '', fits }) => {
  const start = isWhole ? '^' : isEnding ? '(?:^|[_.])' : '(?:^|\\.)';
  const words = names.map((name) => name.replaceAll('.', '\\.')).join('|');
  return { pattern: composePattern(`${start}(?:${words})${unit}$`), fits };
});

/** Whether a value that no reader knows differs in nothing but what differs in every recording. A side without it is undefined. */
export function isRecordingNoise(
  path: JsonPath,
  before: Json | undefined,
  after: Json | undefined,
  normaliser: Normaliser,
): boolean {
  return isNoisyMember(path, before, after, normaliser) || isNoisyText(path, before, after, normaliser);
}

/** The same by names of members alone, which takes little time. */
export function isNoisyMember(
  path: JsonPath,
  before: Json | undefined,
  after: Json | undefined,
  normaliser: Normaliser,
): boolean {
  const names = path.filter((key) => typeof key === 'string').map(snakeCase);
  if (normaliser.ignores(path) || names.some((name) => NOISY_NAMES.has(name))) return true;
  if (isInNoisyHeader(path, before, after)) return true;
  const sides = [before, after].flatMap((side) => (side === undefined || isEmpty(side) ? [] : [side]));
  const place = names.join('.');
  return sides.length === 0 || VALUES.some(({ pattern, fits }) => pattern.test(place) && sides.every(fits));
}

/** Whether the path leads to a header, or into one, that every recording has anew. Lists of headers are compared by their readers. */
function isInNoisyHeader(path: JsonPath, before: Json | undefined, after: Json | undefined): boolean {
  const at = path.findIndex((key) => typeof key === 'string' && HEADERS.test(snakeCase(key)));
  const name = at === -1 ? undefined : path[at + 1];
  return typeof name === 'string' && isNoisyHeader(name, valuesOf(before), valuesOf(after));
}

function valuesOf(header: Json | undefined): readonly string[] {
  return (Array.isArray(header) ? header : [header]).filter((value) => typeof value === 'string');
}

/** The same by what is in a value: ids, times and the like where the rules of the project ignore them, also in JSON that is a text. */
export function isNoisyText(
  path: JsonPath,
  before: Json | undefined,
  after: Json | undefined,
  normaliser: Normaliser,
): boolean {
  if (before === undefined || after === undefined) return false;
  return isVolatileValue(path, before, after, normaliser) || isNoiseInJson(path, before, after, normaliser);
}

/** `contentLength` and `Content-Length` as `content_length`. */
function snakeCase(name: string): string {
  return name
    .replace(/([a-z\d])(?=[A-Z])/g, '$1_')
    .replaceAll('-', '_')
    .toLowerCase();
}

function isEmpty(value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || value === '' || (isRecord(value) && Object.keys(value).length === 0);
}

/** Also one that is written as text. */
function isNumber(value: Json): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value));
}

function isTime(value: Json): boolean {
  return (
    fitsField(value, { preset: 'timestamp' }) ||
    (typeof value === 'string' && /^\w{3}, \d{1,2} \w{3} \d{4} /.test(value))
  );
}

/** A random id, or one that a provider's prefix marks as its own. */
function isGenerated(value: Json): boolean {
  return (
    fitsField(value, { preset: 'provider-id' }) ||
    (typeof value === 'string' &&
      /[\da-f]{16}|^(?:chatcmpl|cmpl|resp|msg|req|call|toolu|gen|run|rs|fc|item|event)[-_]/i.test(value))
  );
}

function isDigest(value: Json): boolean {
  return typeof value === 'string' && /^["\w+/=:.-]{8,}$/.test(value);
}

function isShortText(value: Json): boolean {
  return typeof value === 'string' && /^[A-Za-z' -]{0,40}$/.test(value);
}

/** Whether two texts are JSON, and differ in noise. */
function isNoiseInJson(path: JsonPath, before: Json, after: Json, normaliser: Normaliser): boolean {
  if (typeof before !== 'string' || typeof after !== 'string') return false;
  const [old, now] = [parseJson(before), parseJson(after)];
  if (!isStructure(old) || !isStructure(now)) return false;
  return diffValues(old, now, path).every((one) => isRecordingNoise(one.path, one.before, one.after, normaliser));
}

function isStructure(value: Json | undefined): value is Json & object {
  return typeof value === 'object' && value !== null;
}
