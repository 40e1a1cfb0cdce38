import { isRecord, type Json } from '../json/json';
import { parseJson } from '../json/readJson';
import { SHORTEST_VALUE } from './knownValues';
import { entropy, isOrdinaryValue, isPlaceholder, isRandom, mixesCharacterClasses } from './randomness';
import { nameKind, parameterKind, snakeCase } from './secretNames';
import { variableKind } from './variableKind';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The values of an environment that must not be written to a file: every value that looks as if it was drawn by chance,
 * unless its variable is known to hold something else, and every value whose name says that it is a secret. Parts of
 * values count by themselves, such as the password of a URL.
 */
export function environmentSecrets(environment: Environment): string[] {
  const secrets = new Set<string>();
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || value.length < SHORTEST_VALUE) continue;
    for (const secret of secretsOf(name, value)) secrets.add(secret);
  }
  return [...secrets].filter((secret) => secret.length >= SHORTEST_VALUE);
}

/** Values that are secrets, with their parts: a secret storage may hold a URL or JSON with a password. */
export function partsOfSecrets(values: readonly string[]): string[] {
  return values
    .flatMap((value) => [...new Set([value, value.trim(), ...partsOf(value)])])
    .filter((value) => value !== '');
}

function secretsOf(name: string, value: string): readonly string[] {
  const kind = variableKind(name);
  if (kind === 'never') return [];
  const parts = partsOf(value, kind !== 'program' && kind !== 'setting');
  if (parts.length > 0) return isCompound(value) && !ONE_SECRET.test(snakeCase(name)) ? parts : [value, ...parts];
  if (isReference(value)) return [];
  if (kind === 'secret') return isSecretValue(name, value) ? [value] : [];
  if (kind === 'program') return looksDrawn(value) && !HASH.test(value) ? [value] : [];
  return kind === 'unknown' && looksDrawn(value) ? [value] : [];
}

/** A commit or a digest, as tools of building have in many variables. */
const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Names of which the whole value is one secret, even if it looks like several. */
const ONE_SECRET = /(?:^|_)(?:[a-z\d]*(?:password|passphrase|secret|token|key)|pass|pwd|pw)$/;

/** A path, a list of paths, a reference to another variable, or a command. */
function isReference(value: string): boolean {
  return (
    /^(?:~|\.{0,2}\/(?:[\w.@ +-]+\/)*[\w.@ +-]*$|[A-Za-z]:[\\/]|\$|\{\{|op:\/\/|vault:|arn:aws:|projects\/)/.test(
      value,
    ) || /^\/[^:\s]+(?::\/[^:\s]+)+$/.test(value)
  );
}

/** Whether the value of a variable with the name of a secret is one: a key is no word, while a password may be. */
function isSecretValue(name: string, value: string): boolean {
  if (isPlaceholder(value) || /^[\d.:-]{1,11}$/.test(value)) return false;
  if (/^[a-z]+(?:[-_. /][a-z]+)*$/i.test(value) && !isRandom(value))
    return /pass|pwd|secret|pw$/i.test(name) && !isPartOf(name, value);
  return true;
}

/** Whether a value repeats its name, as in `POSTGRES_PASSWORD=postgres`. */
function isPartOf(name: string, value: string): boolean {
  return snakeCase(name).includes(snakeCase(value));
}

const SHORTEST_DRAWN = 16;
const PUBLIC =
  /^(?:sha(?:1|256|384|512)[-:]|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$|[\w.+-]+@[\w-]+\.[\w.]+$|ssh-(?:rsa|ed25519) |-----BEGIN (?:CERTIFICATE|PUBLIC KEY)|pk_(?:live|test)_|phc_|v?\d+\.\d+)/i;

/** Whether a value of any variable looks drawn by chance: one long word that mixes letters and digits. */
function looksDrawn(value: string): boolean {
  return (
    value.length >= SHORTEST_DRAWN &&
    !/\s/.test(value) &&
    !PUBLIC.test(value) &&
    !isPlaceholder(value) &&
    !isOrdinaryValue(value) &&
    mixesCharacterClasses(value) &&
    entropy(value) >= 3 &&
    isRandom(value)
  );
}

/** Whether only the parts of a value are secrets, while the rest is an address or settings. */
function isCompound(value: string): boolean {
  return URL_VALUE.test(value) || /;/.test(value) || /^\s*[[{]/.test(value) || /\s/.test(value.trim());
}

const URL_VALUE = /^[a-z][a-z\d+.-]{1,30}:\/\//i;

/** The secrets within a value: in a URL, a connection string, or JSON. */
function partsOf(value: string, withPath = true): string[] {
  const text = value.trim();
  if (URL_VALUE.test(text)) return partsOfUrl(text, withPath);
  if (/^[{[]/.test(text)) return partsOfJson(parseJson(text));
  const [, credentials] = AUTHORIZATION.exec(text) ?? [];
  if (credentials !== undefined) return isPlaceholder(credentials) ? [] : [credentials];
  if (/^[\w ]{2,40}=[^;]*(?:;|$)/.test(text) && /[;]/.test(text)) return partsOfPairs(text, /;/);
  if (/(?:^|\s)(?:host|user|dbname|password)=/.test(text)) return partsOfPairs(text, /\s+/);
  return [];
}

/** The value of a header, with its scheme. */
const AUTHORIZATION =
  /^(?:[\w-]{1,40}:\s*)?(?:Bearer|Basic|Token|ApiKey|Api-Key|Key|SSWS|PRIVATE-TOKEN)[ :]\s*([^\s$<{]{8,})$/i;

/** Up to the host, and, for a password that is not encoded, up to the last `@`. */
const CREDENTIALS = [/^[a-z][a-z\d+.-]{1,30}:\/\/([^/?#@]*)(?=@)/i, /^[a-z][a-z\d+.-]{1,30}:\/\/(\S*)(?=@)/i];

function partsOfUrl(url: string, withPath = true): string[] {
  const parts: string[] = [];
  for (const pattern of CREDENTIALS) {
    const [, credentials = ''] = pattern.exec(url) ?? [];
    const at = credentials.indexOf(':');
    const user = at === -1 ? credentials : credentials.slice(0, at);
    const password = at === -1 ? '' : credentials.slice(at + 1);
    if (password !== '' && !isPlaceholder(decoded(password))) parts.push(password, decoded(password));
    if (looksDrawn(user)) parts.push(user, decoded(user));
  }
  for (const [, name = '', given = ''] of url.matchAll(/[?&#;]([\w.-]{1,60})=([^&#;\s]+)/g)) {
    if (parameterKind(name) !== undefined || looksDrawn(decoded(given))) parts.push(given, decoded(given));
  }
  if (!withPath) return parts;
  const path = url.replace(/^[^:]+:\/\/[^/?#]*/, '').replace(/[?#].*$/s, '');
  for (const segment of path.split('/')) if (looksDrawn(decoded(segment))) parts.push(segment, decoded(segment));
  return parts;
}

function partsOfPairs(text: string, separator: RegExp): string[] {
  return text.split(separator).flatMap((pair) => {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    const value = pair
      .slice(at + 1)
      .trim()
      .replace(/^(['"])(.*)\1$/s, '$2');
    if (at === -1 || value === '') return [];
    if (URL_VALUE.test(value)) return partsOfUrl(value);
    const isNamed = parameterKind(name) !== undefined || nameKind(name) !== undefined;
    return (isNamed && !isPlaceholder(value)) || looksDrawn(value) ? [value] : [];
  });
}

function partsOfJson(json: Json | undefined, name = ''): string[] {
  if (typeof json === 'string') return json.length >= SHORTEST_VALUE ? [...secretsOf(name, json)] : [];
  if (Array.isArray(json)) return json.flatMap((item) => partsOfJson(item, name));
  return isRecord(json) ? Object.entries(json).flatMap(([key, member]) => partsOfJson(member, key)) : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
