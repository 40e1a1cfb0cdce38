import { isRecord, type Json } from '../../core/json/json';
import { jsonValue, readJson } from '../../core/json/readJson';
import type { ChatRequest, ChatResponse } from '../../core/model/message';
import { t } from '../../core/text/l10n';
import { noticeOf, says, type Words } from '../../core/text/notice';
import { ProviderError } from '../errors/runErrors';
import type { NetworkPolicy } from '../network/policy';
import { ExchangeError, type HttpResponse, post } from '../network/post';
import { hideError, hideSaid } from '../recording/hideError';
import type { Recorder } from '../recording/recorder';
import type { ChatProvider } from './chatProvider';
import { ChatStream } from './chatStream';
import { parseChatCompletion, readErrorMessage, writeChatRequest } from './chatWire';
import type { ModelEndpoint } from './endpoint';
import { readRetryAfter, TransientError, withRetries } from './retry';

/** The failures of a provider as errors for its user, each with a fix. */

interface FailureContext extends ModelEndpoint {
  /** Hides the secrets in a text of the provider's. */
  hide(text: string): string;
}

/** A model over HTTP: OpenAI's chat completions, which Ollama and most other servers implement. */
export class ChatCompletionsProvider implements ChatProvider {
  readonly #endpoint: ModelEndpoint;
  readonly #failures: FailureContext;
  readonly #network: NetworkPolicy;
  readonly #recorder: Recorder;
  readonly #onRetry: (notice: Words) => void;

  constructor(
    endpoint: ModelEndpoint,
    network: NetworkPolicy,
    recorder: Recorder,
    onRetry: (notice: Words) => void = () => {},
  ) {
    this.#endpoint = endpoint;
    this.#network = network;
    this.#recorder = recorder.withKey(endpoint.keyName, endpoint.key);
    this.#failures = { ...endpoint, hide: (text) => this.#recorder.text(text) };
    this.#onRetry = (notice) => {
      const said = hideSaid(noticeOf(notice), this.#recorder);
      onRetry(() => says(said));
    };
  }

  get label(): string {
    return this.#endpoint.label;
  }

  get model(): string {
    return this.#endpoint.model;
  }

  async chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
    const body = writeChatRequest(request, this.#endpoint);
    try {
      const response = await withRetries(() => this.#post(body, signal), { signal, onRetry: this.#onRetry });
      return this.#recorder.value(response);
    } catch (error) {
      throw hideError(error, this.#recorder);
    }
  }

  async #post(body: string, signal: AbortSignal): Promise<ChatResponse> {
    const { url, key, idleTimeoutMs } = this.#endpoint;
    const headers = {
      'content-type': 'application/json',
      accept: this.#endpoint.stream ? 'text/event-stream' : 'application/json',
      'accept-encoding': 'identity',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    };
    try {
      const response = await post({ policy: this.#network, url, headers, body, idleTimeoutMs, signal });
      try {
        return await this.#read(response);
      } finally {
        response.close();
      }
    } catch (error) {
      throw error instanceof ExchangeError ? connectionFailure(error, this.#endpoint) : error;
    }
  }

  async #read(http: HttpResponse): Promise<ChatResponse> {
    if (http.status < 200 || http.status > 299) throw refusalError(http, await readErrorBody(http), this.#failures);
    // Servers that cannot stream ignore that a stream was requested.
    if (/event-stream/i.test(http.contentType)) return this.#readStream(http);
    const body = new TextDecoder().decode(await http.body());
    if (isHtmlResponse(http, body)) throw htmlResponseError(body, this.#failures);
    const { value, problems } = readJson(body);
    const [problem] = problems;
    if (problem !== undefined && isCutOff(body, problem.span.start))
      throw connectionBroken(this.#endpoint.url.host, http.received);
    const json = value === undefined || problem !== undefined ? undefined : jsonValue(value);
    const response = json === undefined ? undefined : parseChatCompletion(json);
    if (response === undefined) throw this.#reportedError(json) ?? malformedResponse(body, this.#failures);
    return response;
  }

  async #readStream(http: HttpResponse): Promise<ChatResponse> {
    const stream = new ChatStream((data) => this.#readEvent(data));
    for await (const text of http.chunks()) {
      stream.feed(text);
      if (stream.done) break;
    }
    if (!stream.complete) throw connectionBroken(this.#endpoint.url.host, http.received);
    return stream.response();
  }

  #readEvent(data: string): Json {
    const { value, problems } = readJson(data);
    if (value === undefined || problems.length > 0) throw malformedResponse(data, this.#failures);
    const event = jsonValue(value);
    const error = this.#reportedError(event);
    if (error !== undefined) throw error;
    return event;
  }

  /** Some gateways report failures with status 200. */
  #reportedError(body: Json | undefined): ProviderError | undefined {
    if (!isRecord(body) || (body.error ?? null) === null) return undefined;
    const message = () =>
      t('{0} reported an error: {1}', this.#endpoint.url.host, readErrorMessage(body) ?? t('no explanation'));
    return new ProviderError('provider', message, () =>
      t("Check model ({0}), and the provider's status.", this.#endpoint.model),
    );
  }
}

/** The body of an error response, as far as it came: the status counts even where the body is cut off. */
async function readErrorBody(http: HttpResponse): Promise<string> {
  let text = '';
  try {
    for await (const chunk of http.chunks()) text += chunk;
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
  }
  return text;
}

/** Whether a JSON text is valid up to its end, and ends too early. */
function isCutOff(text: string, problemAt: number): boolean {
  const body = text.trim();
  return body === '' || (body.startsWith('{') && (!body.endsWith('}') || problemAt >= text.trimEnd().length));
}

const LONGEST_EXCERPT = 200;

/** Failures of a connection that another attempt may not have. */
const CONNECTION_LOST = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAI_AGAIN'];

function connectionFailure(
  { reason, code, message, received }: ExchangeError,
  { url, idleTimeoutMs }: ModelEndpoint,
): ProviderError {
  const { host } = url;
  if (reason === 'silent') {
    const fix = () => t('Try again, or raise timeout_ms under [llm.provider].');
    return new ProviderError('unreachable', () => t('{0} sent nothing for {1} s', host, idleTimeoutMs / 1000), fix);
  }
  if (reason === 'broken') return connectionBroken(host, received);
  if (reason === 'endless') {
    return new ProviderError(
      'provider',
      () => t('the response from {0} is too long: {1} bytes so far', host, received),
      () => t('Check base_url.'),
    );
  }
  const fix = () => t('Check base_url ({0}), that the server is running, and the network.', addressOf(url));
  const unreachable = () => t('could not reach {0}: {1}', host, describeCode(code) ?? message);
  if (code !== undefined && CONNECTION_LOST.includes(code)) return new TransientError('unreachable', unreachable, fix);
  return new ProviderError('unreachable', unreachable, fix);
}

function connectionBroken(host: string, received: number): ProviderError {
  const message = () => t('{0}: the response was cut off after {1} bytes', host, received);
  return new ProviderError('unreachable', message, () => t('Try again: the connection or the server failed.'));
}

function describeCode(code: string | undefined): string | undefined {
  switch (code) {
    case 'ECONNREFUSED':
      return t('connection refused (ECONNREFUSED)');
    case 'ECONNRESET':
    case 'EPIPE':
      return t('it closed the connection before it responded ({0})', code);
    case 'EPROTO':
      return t('it does not support https (EPROTO)');
    case 'ENOTFOUND':
      return t('host not found (ENOTFOUND)');
    default:
      return undefined;
  }
}

/** The error for a response whose status is not 2xx. */
function refusalError(response: HttpResponse, body: string, endpoint: FailureContext): ProviderError {
  const { status } = response;
  const { host } = endpoint.url;
  const reply = t('HTTP {0}: {1}', status, excerptOf(response, body, endpoint));
  if (status === 401 || status === 403) return keyRefusalError(reply, endpoint);
  if (status === 429) {
    const wait = readRetryAfter(response.header('retry-after'));
    return new TransientError(
      'provider',
      () => t('the rate limit of {0} was exceeded: {1}', host, reply),
      () => t('Wait a while, then try again.'),
      wait,
    );
  }
  if (status >= 500) {
    const wait = readRetryAfter(response.header('retry-after'));
    return new TransientError(
      'unreachable',
      () => t('{0} failed: {1}', host, reply),
      () => t('Try again later.'),
      wait,
    );
  }
  if (status >= 300 && status < 400) {
    const target = response.header('location') ?? t('another address');
    return new ProviderError(
      'provider',
      () => t('{0} redirects to {1} (HTTP {2})', host, target, status),
      () => t('Set base_url to that address.'),
    );
  }
  if (isHtmlResponse(response, body)) return htmlResponseError(body, endpoint);
  const fix = () => t('Check base_url ({0}) and model ({1}).', addressOf(endpoint.url), endpoint.model);
  return new ProviderError('provider', () => t('{0} refused the request: {1}', host, reply), fix);
}

function keyRefusalError(reply: string, { url: { host }, key, keyName }: ModelEndpoint): ProviderError {
  if (key !== undefined) {
    const message = () => t('{0} rejected the key in `{1}`: {2}', host, keyName ?? '', reply);
    return new ProviderError('provider', message, () =>
      t('Check the environment variable {0}, and the permissions of its key.', keyName ?? ''),
    );
  }
  const fix = () =>
    keyName === undefined
      ? t('Set api_key_env to the name of the environment variable that holds the key.')
      : t('Set {0}.', keyName);
  return new ProviderError(
    'provider',
    () =>
      keyName === undefined
        ? t('{0} requires a key: {1}', host, reply)
        : t('{0} requires a key, and `{1}` is not set: {2}', host, keyName, reply),
    fix,
  );
}

function isHtmlResponse({ contentType }: HttpResponse, body: string): boolean {
  return /text\/html/i.test(contentType) || /^\s*<(?:!doctype|html)/i.test(body);
}

function htmlResponseError(body: string, { url, hide }: FailureContext): ProviderError {
  const message = () => t('{0} responded with a web page, not JSON: {1}', url.host, titleOf(body, hide));
  return new ProviderError('provider', message, () =>
    t('Check base_url: {0} is not the address of a chat API.', addressOf(url)),
  );
}

/** The error for a response that is not a valid chat completion. */
function malformedResponse(body: string, { url, hide }: FailureContext): ProviderError {
  const message = () => t('the response from {0} is not a chat completion: {1}', url.host, excerpt(body, hide));
  return new ProviderError('provider', message, () => t('Check base_url ({0}).', addressOf(url)));
}

/** The provider's own message, the title of a web page, or the beginning of the body. */
function excerptOf(response: HttpResponse, body: string, { hide }: FailureContext): string {
  if (isHtmlResponse(response, body)) return t('a web page, {0}', titleOf(body, hide));
  const { value } = readJson(body);
  const message = value === undefined ? undefined : readErrorMessage(jsonValue(value));
  return excerpt(message ?? body, hide) || t('no explanation');
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
