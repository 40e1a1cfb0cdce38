import type { ProviderSpec } from '../../core/model/case';
import { ProviderError } from '../errors/runErrors';

/** The address and settings of a model, complete. */
export interface Endpoint {
  /** For users, without secrets that the address may contain. */
  readonly label: string;
  /** The address of the chat completions. */
  readonly url: URL;
  readonly model: string;
  readonly key: string | undefined;
  /** The environment variable for the key; undefined where none is needed. */
  readonly keyName: string | undefined;
  readonly stream: boolean;
  readonly idleTimeoutMs: number;
}

type Environment = (name: string) => string | undefined;

/** Completes the settings of a case, with MoFA's defaults. Throws a `ProviderError` when the key or the address is missing. */
export function resolveEndpoint(spec: ProviderSpec, env: Environment): Endpoint {
  const ollama = spec.kind === 'ollama';
  const address = spec.baseUrl ?? (ollama ? (env('OLLAMA_BASE_URL') ?? 'http://127.0.0.1:11434/v1') : '');
  const base = parseAddress(address);
  const keyName = spec.apiKeyEnv ?? (ollama ? undefined : 'OPENAI_API_KEY');
  return {
    label: `${spec.kind} ${base.origin}${base.pathname.replace(/\/$/, '')}`,
    url: completionsOf(base),
    model: spec.model ?? (ollama ? (env('OLLAMA_MODEL') ?? 'llama3') : 'gpt-4o-mini'),
    key: keyName === undefined ? undefined : readKey(keyName, address, env),
    keyName,
    stream: spec.stream,
    idleTimeoutMs: spec.timeoutMs,
  };
}

function parseAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  const fix = 'Set base_url under [llm.provider] to an address such as "https://…/v1".';
  throw new ProviderError('case', `the provider's address is not an http(s) address: \`${address}\``, fix);
}

function completionsOf(base: URL): URL {
  const url = new URL(base);
  const path = base.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/chat/completions') ? path : `${path}/chat/completions`;
  return url;
}

/** A server on this machine may do without a key. */
function readKey(name: string, address: string, env: Environment): string | undefined {
  const key = env(name)?.trim();
  if (key === undefined || key === '') {
    if (/127\.0\.0\.1|localhost/.test(address)) return undefined;
    throw new ProviderError(
      'provider',
      `missing environment variable \`${name}\` for llm provider`,
      `Set ${name}, or set api_key_env under [llm.provider] to the name of the variable that holds the key.`,
    );
  }
  // Checked here, because the error of node:http would not name the variable.
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  const message = `the environment variable \`${name}\` does not contain a valid key: it contains spaces or other characters that are not allowed in keys`;
  throw new ProviderError('provider', message, `Set ${name} to the key only.`);
}
