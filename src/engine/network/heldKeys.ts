import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import type { KeyRing } from './keyRing';

/**
 * Stand-ins for keys that an agent is not given, because they are kept by the editor: what the agent sends of them is
 * replaced by the key on the way to its provider. So a key reaches no terminal, and no log of the agent.
 */
export function heldKeys(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `${PREFIX}${name}`]));
}

const PREFIX = 'tapedeck-key-';
const HELD = /tapedeck-key-([A-Za-z_]\w*)/g;

/** What is sent to an upstream, as far as it can hold a key. */
export interface KeyedRequest {
  readonly target: URL;
  readonly headers: readonly string[];
}

/** The request with the keys in place of their stand-ins. Rejects with a `UserError` for a key that may not go to its host. */
export async function withHeldKeys(request: KeyedRequest, keys: KeyRing): Promise<KeyedRequest> {
  const { target, headers } = request;
  const names = new Set(
    [target.search, ...headers].flatMap((text) => Array.from(text.matchAll(HELD), ([, name]) => name ?? '')),
  );
  if (names.size === 0) return request;
  const values = new Map<string, string>();
  for (const name of names) {
    const value = await keys.keyFor(name, target);
    if (value === undefined)
      throw new UserError(
        () => t('{0} has no value', name),
        () => t('Set it with "Tapedeck: Set Provider Key…".'),
      );
    values.set(name, value);
  }
  const filled = (text: string, encode: (value: string) => string): string =>
    text.replace(HELD, (standIn, name: string) => encode(values.get(name) ?? standIn));
  const url = new URL(target);
  url.search = filled(target.search, encodeURIComponent);
  return { target: url, headers: headers.map((text) => filled(text, (value) => value)) };
}
