import type { ProviderSpec } from '../../core/model/case';
import { ProviderError } from '../errors/runErrors';

/** Where and how a model is asked, with everything filled in. */
export interface Endpoint {
  /** As users know it; without anything secret that the address may hold. */
  readonly label: string;
  /** Of the chat completions. */
  readonly url: URL;
  readonly model: string;
  readonly key: string | undefined;
  /** The environment variable for the key; undefined where none is wanted. */
  readonly keyName: string | undefined;
  readonly stream: boolean;
  readonly idleTimeoutMs: number;
}

type Environment = (name: string) => string | undefined;

/** Fills in what the case leaves open, as MoFA does. Throws a `ProviderError` when the key or the address is missing. */
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
      `Set ${name}, or name the variable that holds the key with api_key_env under [llm.provider].`,
    );
  }
  // Checked here, because the message of node:http would not say where the value came from.
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  const message = `the environment variable \`${name}\` does not hold a key: it has spaces or other characters that no key has`;
  throw new ProviderError('provider', message, `Set ${name} to the key alone.`);
}
