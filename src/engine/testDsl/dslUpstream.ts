import type { ChatRequest, ChatResponse } from '../../core/model/message';
import { completionResponse, writeCompletionRequest } from '../../core/testDsl/completionWire';
import { completionDocument, type DslProvider } from '../../core/testDsl/dslDocument';
import { SerdeError } from '../../core/testDsl/serde';
import { readSerdeJson } from '../../core/testDsl/serdeJson';
import { ProviderError } from '../errors/runErrors';
import { parseHttpUrl } from '../network/hosts';
import type { KeyRing } from '../network/keyRing';
import type { NetworkPolicy } from '../network/policy';
import { ExchangeError, type HttpResponse, post } from '../network/post';
import type { ChatProvider } from '../providers/chatProvider';

/** The address, model and key of a provider. */
interface DslEndpoint {
  /** As the case writes it, with the path of completions. */
  readonly address: string;
  readonly model: string;
  readonly key: string | undefined;
  readonly keyName: string | undefined;
}

const USUAL_KEY = 'OPENAI_API_KEY';

/** Completes a provider with MoFA's defaults. Rejects with a `ProviderError` for a missing key, and a `UserError` for one that may not go there. */
export async function dslEndpoint(provider: DslProvider, keys: KeyRing): Promise<DslEndpoint> {
  const { kind, base_url } = provider;
  if (kind === 'ollama') {
    const base = base_url ?? keys.setting('OLLAMA_BASE_URL') ?? 'http://127.0.0.1:11434/v1';
    const model = provider.model ?? keys.setting('OLLAMA_MODEL') ?? 'llama3';
    return { address: completionsOf(base), model, key: undefined, keyName: undefined };
  }
  const address = completionsOf(base_url ?? '');
  const key = await keyOf(provider, address, keys);
  return { address, model: provider.model ?? 'gpt-4o-mini', ...key };
}

function completionsOf(base: string): string {
  const trimmed = base.replace(/\/+$/, '');
  return trimmed.endsWith('/completions') ? trimmed : `${trimmed}/chat/completions`;
}

async function keyOf({ api_key_env }: DslProvider, address: string, keys: KeyRing) {
  const none = { key: undefined, keyName: undefined };
  const url = parseHttpUrl(address);
  const keyName = api_key_env ?? USUAL_KEY;
  if (keyName === '') return none;
  // Unlike MoFA: a server on this machine gets the key of OpenAI only where the case names it.
  const isOffered = url !== undefined && (api_key_env !== null || (await keys.standing(USUAL_KEY, url)) !== 'refused');
  const key = isOffered ? await keys.keyFor(keyName, url) : undefined;
  if (key !== undefined) return { key, keyName };
  if (keys.isSet(keyName) || keys.isEmpty(keyName) || /127\.0\.0\.1|localhost/.test(address)) return none;
  throw new ProviderError(
    'provider',
    `missing environment variable \`${keyName}\` for llm provider`,
    `Set ${keyName}, or set api_key_env under [llm.provider] to the name of the variable that holds the key.`,
  );
}

const IDLE_TIMEOUT_MS = 60_000;

/** MoFA's OpenAI-compatible provider: one attempt for each request, and strict about the response. */
export class DslUpstream implements ChatProvider {
  readonly label: string;
  readonly #endpoint: DslEndpoint;
  readonly #network: NetworkPolicy;

  constructor(endpoint: DslEndpoint, network: NetworkPolicy) {
    this.label = endpoint.address;
    this.#endpoint = endpoint;
    this.#network = network;
  }

  async chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
    const { address, model } = this.#endpoint;
    const response = await this.#post(writeCompletionRequest(request, model), signal);
    try {
      return await this.#read(response);
    } catch (error) {
      if (error instanceof ExchangeError || error instanceof SerdeError)
        throw failure('provider', 'Serialization error: error decoding response body', `Check base_url (${address}).`);
      throw error;
    } finally {
      response.close();
    }
  }

  async #post(body: string, signal: AbortSignal): Promise<HttpResponse> {
    const { address, key } = this.#endpoint;
    const url = parseHttpUrl(address);
    const fix = `Check base_url (${address}), that the server is running, and the network.`;
    if (url === undefined) throw failure('unreachable', `Agent execution failed: ${unusable(address)}`, fix);
    const authorization: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const headers = { 'content-type': 'application/json', accept: '*/*', ...authorization };
    try {
      return await post({ policy: this.#network, url, headers, body, idleTimeoutMs: IDLE_TIMEOUT_MS, signal });
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      throw failure('unreachable', `Agent execution failed: error sending request for url (${url})`, fix);
    }
  }

  async #read(http: HttpResponse): Promise<ChatResponse> {
    const fix = `Check base_url and model, and the provider's status.`;
    if (http.status < 200 || http.status > 299) {
      const reason = http.statusName ?? '<unknown status code>';
      const body = await bodyAsFarAsItCame(http);
      throw failure('provider', `Agent execution failed: provider returned ${http.status} ${reason}: ${body}`, fix);
    }
    const response = completionResponse(readSerdeJson(Buffer.from(await http.body()).toString(), completionDocument));
    if (response !== undefined) return response;
    throw failure('provider', 'Agent execution failed: provider returned no choices', fix);
  }
}

function unusable(address: string): string {
  return URL.canParse(address) ? `builder error for url (${address})` : 'builder error';
}

/** MoFA takes a body that is cut off as an empty one. */
async function bodyAsFarAsItCame(http: HttpResponse): Promise<string> {
  try {
    return Buffer.from(await http.body()).toString();
  } catch (error) {
    if (error instanceof ExchangeError) return '';
    throw error;
  }
}

function failure(kind: 'provider' | 'unreachable', message: string, fix: string): ProviderError {
  return new ProviderError(kind, message, fix);
}
