import type { Json } from '../json/json';
import type { HttpBody, HttpExchange, HttpHeader } from '../tapes/tape';
import { encodeBase64 } from '../wire/base64';
import { decodeBody, headerOf } from '../wire/body';
import { present } from '../wire/fields';
import { detectProtocol } from '../wire/protocols';
import { wireBody } from '../wire/wireBody';
import { modelInPath, wirePath } from '../wire/wirePath';
import type { WireRequest } from './wireRequest';

/** What is compared of a request: nothing is left out but the host, the headers, and keys in the query. */
export interface ComparableRequest {
  /** Method and endpoint, such as `POST openai-chat completions`; absent where a tape keeps messages only. */
  readonly address?: string;
  /** The model, where the address names it. */
  readonly model?: string;
  /** Parameters of the query. */
  readonly query?: Readonly<Record<string, string>>;
  /** The body as JSON; a body that is none is a text. */
  readonly body: Json;
}

/** A request as an agent makes it now. */
export function comparableWire({ method, url, headers, body }: WireRequest): ComparableRequest {
  return comparable(method, url, headers, wireBody(body));
}

/** A request as it was recorded. */
export function comparableExchange(exchange: HttpExchange): ComparableRequest {
  return comparable(exchange.method, exchange.url, exchange.requestHeaders, exchange.requestBody);
}

function comparable(method: string, url: string, headers: readonly HttpHeader[], stored: HttpBody): ComparableRequest {
  const decoded = decodeBody(stored, headers);
  const json = decoded.json;
  const path = wirePath(url);
  const model = modelInPath(path);
  const query = queryOf(url);
  return present({
    address: `${method.toUpperCase()} ${endpoint(path, model)}`,
    model,
    query: Object.keys(query).length === 0 ? undefined : query,
    body: json ?? withoutBoundary(decoded.text ?? encodeBase64(decoded.bytes), headers),
  });
}

/**
 * What is asked for, by the path alone: of a known protocol its last word, such as `completions` or
 * `streamGenerateContent`, since what stands before it is up to the host (`/v1/`, `/openai/deployments/x/`).
 */
function endpoint(path: string, model: string | undefined): string {
  const protocol = detectProtocol({ path, request: undefined, response: undefined, events: [] });
  if (protocol !== undefined) return `${protocol.api} ${/([^/:]*)\/?$/.exec(path)?.[1] ?? ''}`;
  return model === undefined ? path : path.replace(model, '{model}');
}

/** Names of what lets a caller in, or counts calls. */
const CREDENTIAL = /^(?:.*[-_])?(?:key|token|signature|sig|secret|credential)$|^x-(?:amz|goog)-|^code$/i;

function queryOf(url: string): Record<string, string> {
  const text = /\?([^#]*)/.exec(url)?.[1] ?? '';
  return Object.fromEntries([...new URLSearchParams(text)].filter(([name]) => !CREDENTIAL.test(name)));
}

/** The parts of a form are divided by a line that clients make up anew for each request. */
function withoutBoundary(text: string, headers: readonly HttpHeader[]): string {
  const boundary = /^multipart\/.*boundary="?([^";]{4,})/i.exec(headerOf(headers, 'content-type') ?? '')?.[1];
  return boundary === undefined ? text : text.replaceAll(boundary, 'boundary');
}
