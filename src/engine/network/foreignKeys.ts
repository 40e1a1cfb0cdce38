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
  const texts = [decodedHref(target), ...headers, ...headers.map(basicCredentials)];
  for (const [variable, value = ''] of Object.entries(environment)) {
    const key = value.trim();
    if (key.length < SHORTEST_KEY || !isSecretName(variable) || !texts.some((text) => text.includes(key))) continue;
    if ((await keys.standing(variable, target)) === 'refused') throw refusedKey(variable, hostOf(target));
  }
}

/** The user and password of `Basic` authorisation; empty for any other header. */
function basicCredentials(header: string): string {
  const [, encoded = ''] = /^Basic +(\S+)$/i.exec(header) ?? [];
  return Buffer.from(encoded, 'base64').toString('utf8');
}

function decodedHref({ href }: URL): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}
