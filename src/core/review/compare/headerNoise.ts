import { type Json, jsonEqual } from '../../json/json';
import type { HttpExchange, HttpHeader } from '../../model/http';
import { type Difference, differenceOf } from './difference';

/** Headers that every recording has anew. */
interface NoisyHeaders {
  /** For the manual. */
  readonly about: string;
  /** In lower case; `*` at an end stands for anything. */
  readonly names: readonly string[];
}

/**
 * All headers that may differ without a change; the manual has them as a table. Whatever is not here is a change, because a program may
 * act on it, as on `location`, `content-type`, `link`, or `retry-after`.
 */
export const NOISY_HEADERS: readonly NoisyHeaders[] = [
  {
    about: 'ids of the request and of its trace',
    names: [
      ...['*request-id', '*requestid', '*correlation-id', '*trace-id', '*span-id', '*invocation-id', '*-trace-context'],
      ...['traceparent', 'tracestate', 'baggage', 'sentry-trace', 'x-b3-*', 'x-datadog-*', 'cf-ray', 'x-amz-id-2'],
      ...['x-amz-cf-id', 'x-azure-ref', 'x-guploader-uploadid', '*idempotency-key'],
    ],
  },
  { about: 'times', names: ['date', 'age', 'expires', 'last-modified', 'x-amz-date', 'x-goog-generation'] },
  {
    about: 'durations',
    names: [
      ...['server-timing', 'x-timer', 'x-runtime', '*-processing-ms', '*-latency', '*-response-time', '*-service-time'],
      ...['*-duration', '*-elapsed', '*-latency-ms', '*-duration-ms', '*-time-ms', 'x-response-time-ms'],
    ],
  },
  {
    about: 'rate limits',
    names: [
      'x-ratelimit-*',
      'ratelimit',
      'ratelimit-*',
      'x-rate-limit-*',
      'anthropic-ratelimit-*',
      'anthropic-priority-*',
    ],
  },
  {
    about: 'the length, the digest, and the encoding of the body',
    names: [
      ...['content-length', 'content-encoding', 'transfer-encoding', 'etag', 'content-md5', 'digest', 'content-digest'],
      ...['x-goog-hash', 'x-amz-checksum-*', 'x-amz-content-sha256', 'x-decompressed-content-length'],
    ],
  },
  {
    about: 'servers and caches on the way',
    names: [
      ...[
        'connection',
        'keep-alive',
        'proxy-connection',
        'via',
        'server',
        'alt-svc',
        'nel',
        'report-to',
        'cf-cache-status',
      ],
      ...[
        'x-cache',
        'x-cache-hits',
        'x-served-by',
        'x-envoy-*',
        'x-kong-*',
        'x-ms-region',
        'x-backend*',
        'cf-connecting-*',
      ],
      ...['x-forwarded-*', 'x-real-ip', 'forwarded', 'x-vercel-id', 'x-railway-*'],
    ],
  },
  {
    about: 'the client, and its keys',
    names: [
      ...['user-agent', 'x-stainless-*', 'x-goog-api-client', 'x-amz-user-agent', 'amz-sdk-*', 'host'],
      ...[
        'accept-encoding',
        'accept-language',
        'te',
        'priority',
        'sec-*',
        'authorization',
        'proxy-authorization',
        'cookie',
      ],
      ...['x-api-key', 'api-key', 'x-goog-api-key', 'x-amz-security-token', 'x-tapedeck-*', 'x-test-id'],
    ],
  },
];

const NAMES = NOISY_HEADERS.flatMap(({ names }) => names);
const EXACT: ReadonlySet<string> = new Set(NAMES.filter((name) => !name.includes('*')));
const ENDS = NAMES.flatMap((name) => (name.startsWith('*') ? [name.slice(1)] : []));
const STARTS = NAMES.flatMap((name) => (name.endsWith('*') ? [name.slice(0, -1)] : []));

/** Whether a header differs in nothing but what differs in every recording. */
export function isNoisyHeader(name: string, before: readonly string[], after: readonly string[]): boolean {
  const lower = name.toLowerCase();
  if (EXACT.has(lower) || ENDS.some((end) => lower.endsWith(end)) || STARTS.some((start) => lower.startsWith(start)))
    return true;
  const meaning = MEANINGS[lower];
  if (meaning === undefined || before.length !== after.length) return false;
  return before.every((value, at) => meaning(value) === meaning(after[at] ?? ''));
}

/** What counts of a header in which only a part is new in every recording. */
const MEANINGS: Readonly<Record<string, (value: string) => string>> = {
  'set-cookie': cookieMeaning,
  'content-type': (value) => value.replace(/\bboundary=(?:"[^"]*"|[^;]*)/i, 'boundary').toLowerCase(),
};

/** The words for the manual. */
export const NOISY_PARTS: readonly NoisyHeaders[] = [
  { about: 'the random value and the expiry of a cookie', names: ['set-cookie'] },
  { about: 'the boundary of a form', names: ['content-type'] },
];

/** A cookie without its value, if that is random, and without the times. */
function cookieMeaning(cookie: string): string {
  const [pair = '', ...attributes] = cookie.split(';').map((part) => part.trim());
  const [name = '', value = ''] = pair.split(/=(.*)/s);
  const kept = attributes
    .filter((attribute) => !/^(?:expires|max-age)\b/i.test(attribute))
    .map((one) => one.toLowerCase());
  return [name, isRandom(value) ? '' : value, ...kept.sort()].join('; ');
}

function isRandom(value: string): boolean {
  return value.length >= 16 && /\d/.test(value) && /[a-z]/i.test(value);
}

/** The differences between the headers of two exchanges, one by one. Those that differ in every recording are one that is ignored. */
export function compareHeaders(before: HttpExchange, after: HttpExchange): readonly Difference[] {
  const differing = SIDES.flatMap((side) => differingHeaders(side, before[side], after[side]));
  const shown = differing.filter(({ name, old, now }) => !isNoisyHeader(name, old ?? [], now ?? []));
  return [...shown.map(headerDifference), ...ignoredHeaders(before, after, shown)];
}

const SIDES = ['requestHeaders', 'responseHeaders'] as const;

/** A header with its values; undefined on the side that does not have it. */
interface DifferingHeader {
  readonly side: (typeof SIDES)[number];
  readonly name: string;
  readonly old: readonly string[] | undefined;
  readonly now: readonly string[] | undefined;
}

function differingHeaders(
  side: (typeof SIDES)[number],
  before: readonly HttpHeader[],
  after: readonly HttpHeader[],
): readonly DifferingHeader[] {
  const [olds, news] = [byName(before), byName(after)];
  return [...new Set([...olds.keys(), ...news.keys()])].flatMap((name) => {
    const [old, now] = [olds.get(name), news.get(name)];
    return old?.join('\n') === now?.join('\n') ? [] : [{ side, name, old, now }];
  });
}

function headerDifference({ side, name, old, now }: DifferingHeader): Difference {
  return differenceOf('http', ['http', side, name], old?.join('\n'), now?.join('\n'), { name, isWire: true });
}

/** The headers besides those that are shown. They may also have another order, or other capitals. */
function ignoredHeaders(before: HttpExchange, after: HttpExchange, shown: readonly DifferingHeader[]) {
  const isShown = (side: string, name: string): boolean =>
    shown.some((one) => one.side === side && one.name === name.toLowerCase());
  const others = (exchange: HttpExchange): Json =>
    Object.fromEntries(
      SIDES.map((side) => [
        side,
        exchange[side].filter(([name]) => !isShown(side, name)).map(([name, value]) => [name, value]),
      ]),
    );
  const [old, now] = [others(before), others(after)];
  return jsonEqual(old, now) ? [] : [differenceOf('details', ['http', 'headers'], old, now, { rules: ['headers'] })];
}

function byName(headers: readonly HttpHeader[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    const values = found.get(lower) ?? [];
    values.push(value);
    found.set(lower, values);
  }
  return found;
}
