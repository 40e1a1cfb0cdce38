import type { ProviderSpec } from '../../core/model/case';
import { DEFAULT_MODELS } from '../../core/prices/retakeCost';
import { t } from '../../core/text/l10n';
import { ProviderError } from '../errors/runErrors';
import { isLoopback } from '../network/hosts';
import type { KeyRing } from '../network/keyRing';

/** The address and settings of a model, complete. */
export interface ModelEndpoint {
  /** For users, without secrets that the address may contain. */
  readonly label: string;
  /** The address of the chat completions. */
  readonly url: URL;
  readonly model: string;
  readonly key: string | undefined;
  /** The environment variable for the key; undefined if none is needed. */
  readonly keyName: string | undefined;
  readonly stream: boolean;
  readonly idleTimeoutMs: number;
}

/** Completes the settings of a case, with MoFA's defaults. Rejects with a `ProviderError` when the key or the address is missing, and with a `UserError` for a key that may not go there. */
export async function resolveEndpoint(spec: ProviderSpec, keys: KeyRing): Promise<ModelEndpoint> {
  const base = providerAddress(spec, keys);
  const keyName = await keyNameFor(spec, base, keys);
  return {
    label: `${spec.kind} ${base.origin}${base.pathname.replace(/\/$/, '')}`,
    url: completionsOf(base),
    model: spec.model ?? modelOf(spec, keys),
    key: keyName === undefined ? undefined : await readKey(keyName, base, keys),
    keyName,
    stream: spec.stream,
    idleTimeoutMs: spec.timeoutMs,
  };
}

function modelOf({ kind }: ProviderSpec, keys: KeyRing): string {
  if (kind !== 'ollama') return DEFAULT_MODELS.open_ai_compatible;
  return keys.setting('OLLAMA_MODEL') ?? DEFAULT_MODELS.ollama;
}

/** The address of a provider. Throws a `ProviderError` when it is missing or invalid. */
export function providerAddress({ kind, baseUrl }: ProviderSpec, keys: KeyRing): URL {
  if (baseUrl !== undefined) return parseAddress(baseUrl);
  return parseAddress(kind === 'ollama' ? (keys.setting('OLLAMA_BASE_URL') ?? 'http://127.0.0.1:11434/v1') : '');
}

/**
 * The variable whose key a provider gets. A server on this machine gets the one that the case names; without a name, the
 * key of OpenAI is not offered to it unless it may have it.
 */
export async function keyNameFor(spec: ProviderSpec, base: URL, keys: KeyRing): Promise<string | undefined> {
  if (spec.apiKeyEnv !== undefined || spec.kind === 'ollama') return spec.apiKeyEnv;
  const fallback = 'OPENAI_API_KEY';
  return isLoopback(base) && (await keys.standing(fallback, base)) === 'refused' ? undefined : fallback;
}

function parseAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  const fix = () => t('Set base_url under [llm.provider] to an address such as "https://…/v1".');
  throw new ProviderError('case', () => t("the provider's address is not an http(s) address: `{0}`", address), fix);
}

function completionsOf(base: URL): URL {
  const url = new URL(base);
  const path = base.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/completions') ? path : `${path}/chat/completions`;
  return url;
}

/** A server on this machine may do without a key. */
async function readKey(name: string, base: URL, keys: KeyRing): Promise<string | undefined> {
  const key = await keys.keyFor(name, base);
  if (key === undefined) {
    if (isLoopback(base)) return undefined;
    throw new ProviderError(
      'provider',
      () => t('missing environment variable `{0}` for llm provider', name),
      () => t('Set {0}, or set api_key_env under [llm.provider] to the name of the variable that holds the key.', name),
    );
  }
  // Checked here, because the error of node:http would not name the variable.
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  const message = () =>
    t(
      'the environment variable `{0}` does not contain a valid key: it contains spaces or other characters that are not allowed in keys',
      name,
    );
  throw new ProviderError('provider', message, () => t('Set {0} to the key only.', name));
}
