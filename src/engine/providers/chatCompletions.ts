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
import {
  connectionBroken,
  connectionFailure,
  type FailureContext,
  htmlResponseError,
  isHtmlResponse,
  malformedResponse,
  refusalError,
} from './chatFailures';
import type { ChatProvider } from './chatProvider';
import { ChatStream } from './chatStream';
import { parseChatCompletion, readErrorMessage, writeChatRequest } from './chatWire';
import type { ModelEndpoint } from './endpoint';
import { withRetries } from './retry';

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
