import { diffValues } from '../../diff/diffValues';
import { isRecord, type Json } from '../../json/json';
import type { JsonPath } from '../../json/jsonPath';
import { parseJson } from '../../json/readJson';
import { isVolatileValue } from './noise';
import type { Normaliser } from './normaliser';
import { fitsField } from './volatileFields';

/**
 * Members that are written anew with every recording, with everything in them: headers and what follows from them, times, what a
 * provider adds to a response. This list and the one below are all that a change may be in that no reader knows.
 */
const NOISY_MEMBERS: ReadonlySet<string> = new Set([
  ...['headers', 'request_headers', 'response_headers', 'trailers', 'cookies', 'http_version', 'proto', 'status_text'],
  ...['timings', 'page_timings', 'server_ipaddress', 'usage', 'usage_metadata', 'safety_ratings', 'system_fingerprint'],
  ...['service_tier', 'logprobs', 'logprobs_result', 'avg_logprobs', 'obfuscation', 'encrypted_content'],
  ...['signature', 'thought_signature'],
]);

/** Members that are noise if their values have the shape that their names promise. */
const NOISY_VALUES: readonly NoisyValue[] = [
  {
    name: /(?:^|[_.])(?:duration|latency|elapsed|took|runtime|ttft|time|wait)(?:_?(?:ms|millis|s|secs|seconds|us|ns))?$/,
    fits: isNumber,
  },
  { name: /(?:^|[_.])(?:length|size|bytes|connection)$/, fits: isNumber },
  { name: /(?:^|[_.])(?:index|sequence|seq|sequence_number|proto_major|proto_minor)$/, fits: isNumber },
  { name: /(?:^|[_.])(?:at|on|date|time|timestamp|ts|created|updated|started|completed|expires)$/, fits: isTime },
  { name: /(?:^|[_.])(?:id|uuid|guid|pageref)$/, fits: isGenerated },
  { name: /(?:^|[_.])(?:hash|digest|checksum|sha1|sha256|md5|etag|fingerprint)$/, fits: isDigest },
  // The reason behind the code of an HTTP status.
  { name: /(?:^|\.)status\.message$/, fits: isShortText },
];

interface NoisyValue {
  /** Of the path in `snake_case`, with dots between members. */
  readonly name: RegExp;
  fits(value: Json): boolean;
}

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
  if (normaliser.ignores(path) || names.some((name) => NOISY_MEMBERS.has(name))) return true;
  const sides = [before, after].flatMap((side) => (side === undefined || isEmpty(side) ? [] : [side]));
  const place = names.join('.');
  return sides.length === 0 || NOISY_VALUES.some(({ name, fits }) => name.test(place) && sides.every(fits));
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
