import { jsonValue, readJson } from '../../core/json/readJson';
import { ProviderError } from '../errors/runErrors';
import type { ExchangeError, HttpResponse } from '../network/post';
import { readErrorMessage } from './chatWire';
import type { ModelEndpoint } from './endpoint';
import { readRetryAfter, TransientError } from './retry';

/** The failures of a provider as errors for its user, each with a fix. */

export interface FailureContext extends ModelEndpoint {
  /** Hides the secrets in a text of the provider's. */
  hide(text: string): string;
}

const LONGEST_EXCERPT = 200;
/** Failures of a connection that another attempt may not have. */
const CONNECTION_LOST = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAI_AGAIN'];

export function connectionFailure(
  { reason, code, message, received }: ExchangeError,
  { url, idleTimeoutMs }: ModelEndpoint,
): ProviderError {
  const { host } = url;
  if (reason === 'silent') {
    const fix = 'Try again, or raise timeout_ms under [llm.provider].';
    return new ProviderError('unreachable', `${host} sent nothing for ${idleTimeoutMs / 1000} s`, fix);
  }
  if (reason === 'broken') return connectionBroken(host, received);
  if (reason === 'endless') {
    return new ProviderError(
      'provider',
      `the response from ${host} is too long: ${received} bytes so far`,
      'Check base_url.',
    );
  }
  const fix = `Check base_url (${addressOf(url)}), that the server is running, and the network.`;
  const unreachable = `could not reach ${host}: ${describeCode(code) ?? message}`;
  if (code !== undefined && CONNECTION_LOST.includes(code)) return new TransientError('unreachable', unreachable, fix);
  return new ProviderError('unreachable', unreachable, fix);
}

export function connectionBroken(host: string, received: number): ProviderError {
  const message = `${host}: the response was cut off after ${received} bytes`;
  return new ProviderError('unreachable', message, 'Try again: the connection or the server failed.');
}

function describeCode(code: string | undefined): string | undefined {
  switch (code) {
    case 'ECONNREFUSED':
      return 'connection refused (ECONNREFUSED)';
    case 'ECONNRESET':
    case 'EPIPE':
      return `it closed the connection before it responded (${code})`;
    case 'EPROTO':
      return 'it does not support https (EPROTO)';
    case 'ENOTFOUND':
      return 'host not found (ENOTFOUND)';
    default:
      return undefined;
  }
}

/** The error for a response whose status is not 2xx. */
export function refusalError(response: HttpResponse, body: string, endpoint: FailureContext): ProviderError {
  const { status } = response;
  const { host } = endpoint.url;
  const reply = `HTTP ${status}: ${excerptOf(response, body, endpoint)}`;
  if (status === 401 || status === 403) return keyRefusalError(reply, endpoint);
  if (status === 429) {
    const wait = readRetryAfter(response.header('retry-after'));
    return new TransientError(
      'provider',
      `the rate limit of ${host} was exceeded: ${reply}`,
      'Wait a while, then try again.',
      wait,
    );
  }
  if (status >= 500) {
    const wait = readRetryAfter(response.header('retry-after'));
    return new TransientError('unreachable', `${host} failed: ${reply}`, 'Try again later.', wait);
  }
  if (status >= 300 && status < 400) {
    const target = response.header('location') ?? 'another address';
    return new ProviderError(
      'provider',
      `${host} redirects to ${target} (HTTP ${status})`,
      'Set base_url to that address.',
    );
  }
  if (isHtmlResponse(response, body)) return htmlResponseError(body, endpoint);
  const fix = `Check base_url (${addressOf(endpoint.url)}) and model (${endpoint.model}).`;
  return new ProviderError('provider', `${host} refused the request: ${reply}`, fix);
}

function keyRefusalError(reply: string, { url: { host }, key, keyName }: ModelEndpoint): ProviderError {
  if (key !== undefined) {
    const message = `${host} refused the key in \`${keyName}\`: ${reply}`;
    return new ProviderError(
      'provider',
      message,
      `Check the environment variable ${keyName}, and the permissions of its key.`,
    );
  }
  const fix =
    keyName === undefined
      ? 'Set api_key_env to the name of the environment variable that holds the key.'
      : `Set ${keyName}.`;
  const name = keyName === undefined ? '' : `, and \`${keyName}\` is not set`;
  return new ProviderError('provider', `${host} requires a key${name}: ${reply}`, fix);
}

export function isHtmlResponse({ contentType }: HttpResponse, body: string): boolean {
  return /text\/html/i.test(contentType) || /^\s*<(?:!doctype|html)/i.test(body);
}

export function htmlResponseError(body: string, { url, hide }: FailureContext): ProviderError {
  const message = `${url.host} responded with a web page, not JSON: ${titleOf(body, hide)}`;
  return new ProviderError('provider', message, `Check base_url: ${addressOf(url)} is not the address of a chat API.`);
}

/** The error for a response that is not a valid chat completion. */
export function malformedResponse(body: string, { url, hide }: FailureContext): ProviderError {
  const message = `the response from ${url.host} is not a chat completion: ${excerpt(body, hide)}`;
  return new ProviderError('provider', message, `Check base_url (${addressOf(url)}).`);
}

/** The provider's own message, the title of a web page, or the beginning of the body. */
function excerptOf(response: HttpResponse, body: string, { hide }: FailureContext): string {
  if (isHtmlResponse(response, body)) return `a web page, ${titleOf(body, hide)}`;
  const { value } = readJson(body);
  const message = value === undefined ? undefined : readErrorMessage(jsonValue(value));
  return excerpt(message ?? body, hide) || 'no explanation';
}

function titleOf(html: string, hide: Hide): string {
  const title = /<title[^>]*>([^<]*)/i.exec(html)?.[1] ?? html.replace(/<[^>]*>/g, ' ');
  return `“${excerpt(title, hide)}”`;
}

/** The beginning of a text without its secrets, which are hidden first: cut in two, they would not be found. */
type Hide = FailureContext['hide'];

function excerpt(text: string, hide: Hide): string {
  const line = hide(text).replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST_EXCERPT ? line : `${line.slice(0, LONGEST_EXCERPT)}…`;
}

/** Without user, password and query, which may be secret. */
function addressOf(url: URL): string {
  return url.origin + url.pathname;
}
