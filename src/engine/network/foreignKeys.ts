import { hostOf } from './hosts';
import { type KeyRing, refusedKey } from './keyRing';
import { isSecretName, SHORTEST_KEY } from './knownKeys';

/**
 * Rejects with a `UserError` when a request to `target` has the value of a key in it, in its address or in a header, that may
 * not go there. For requests that others make, and whose address a file of the project names.
 */
export async function requireNoForeignKey(
  target: URL,
  headers: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  keys: KeyRing,
): Promise<void> {
  const texts = [decodedHref(target), ...headers];
  for (const [variable, value = ''] of Object.entries(environment)) {
    const key = value.trim();
    if (key.length < SHORTEST_KEY || !isSecretName(variable) || !texts.some((text) => text.includes(key))) continue;
    if ((await keys.standing(variable, target)) === 'refused') throw refusedKey(variable, hostOf(target));
  }
}

function decodedHref({ href }: URL): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}
