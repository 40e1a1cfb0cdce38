import { createHash, createHmac } from 'node:crypto';

type Environment = Readonly<Record<string, string | undefined>>;

/** A request as it leaves for its upstream. */
export interface OutgoingRequest {
  readonly method: string;
  readonly target: URL;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const AUTHORISATION =
  /^AWS4-HMAC-SHA256 +Credential=([^/,\s]+)\/(\d{8})\/([\w-]+)\/([\w-]+)\/aws4_request, *SignedHeaders=([\w;-]+), *Signature=/;

/** What a signature of AWS (version 4) was made with, as its header says. */
interface Scope {
  readonly keyId: string;
  readonly date: string;
  readonly region: string;
  readonly service: string;
  readonly signed: readonly string[];
}

/** The region that a request was signed for; undefined without such a signature. */
export function signedRegion(authorization: string | undefined): string | undefined {
  return parseScope(authorization)?.region;
}

/**
 * The headers of a request to Bedrock with a signature that holds at `target`: the one that the agent made is for the address
 * that it called. Unchanged where there is none, or where the environment does not have the key that it was made with.
 */
export function signedAnew(request: OutgoingRequest, environment: Environment): readonly string[] {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = environment;
  const scope = parseScope(headerNamed(request.headers, 'authorization'));
  const time = headerNamed(request.headers, 'x-amz-date');
  if (scope?.service !== 'bedrock' || time === undefined || !AWS_SECRET_ACCESS_KEY) return request.headers;
  if (scope.keyId !== AWS_ACCESS_KEY_ID?.trim()) return request.headers;
  const signature = signatureOf(request, scope, time, AWS_SECRET_ACCESS_KEY.trim());
  const credential = `${scope.keyId}/${scopeText(scope)}`;
  const authorization = `${ALGORITHM} Credential=${credential}, SignedHeaders=${scope.signed.join(';')}, Signature=${signature}`;
  return request.headers.map((text, at) => (isValueOf(request.headers, at, 'authorization') ? authorization : text));
}

/** The signature of a request, as a hexadecimal number. */
function signatureOf(request: OutgoingRequest, scope: Scope, time: string, secret: string): string {
  const toSign = [ALGORITHM, time, scopeText(scope), sha256(canonicalRequest(request, scope))].join('\n');
  const parts = [scope.date, scope.region, scope.service, 'aws4_request'];
  const key = parts.reduce<string | Buffer>((before, part) => hmac(before, part), `AWS4${secret}`);
  return hmac(key, toSign).toString('hex');
}

function canonicalRequest({ method, target, headers, body }: OutgoingRequest, { signed }: Scope): string {
  const values = signed.map((name) => `${name}:${canonicalValue(headers, name)}\n`);
  // The path is encoded once more than it is sent.
  const path = target.pathname.split('/').map(encode).join('/');
  const hash = headerNamed(headers, 'x-amz-content-sha256') ?? sha256(body);
  return [method, path, canonicalQuery(target), values.join(''), signed.join(';'), hash].join('\n');
}

function canonicalQuery({ searchParams }: URL): string {
  const pairs = [...searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.sort().join('&');
}

function canonicalValue(headers: readonly string[], wanted: string): string {
  const values = headers.filter((_, at) => isValueOf(headers, at, wanted));
  return values.map((value) => value.trim().replace(/ +/g, ' ')).join(',');
}

function parseScope(authorization: string | undefined): Scope | undefined {
  const [whole, keyId = '', date = '', region = '', service = '', signed = ''] =
    AUTHORISATION.exec(authorization ?? '') ?? [];
  return whole === undefined ? undefined : { keyId, date, region, service, signed: signed.split(';') };
}

function scopeText({ date, region, service }: Scope): string {
  return `${date}/${region}/${service}/aws4_request`;
}

function headerNamed(headers: readonly string[], wanted: string): string | undefined {
  return headers.find((_, at) => isValueOf(headers, at, wanted));
}

function isValueOf(headers: readonly string[], at: number, wanted: string): boolean {
  return at % 2 === 1 && headers[at - 1]?.toLowerCase() === wanted;
}

/** As RFC 3986 has it: `encodeURIComponent` leaves five more characters as they are. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
