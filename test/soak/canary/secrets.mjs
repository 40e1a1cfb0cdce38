// The secrets of the canary soak, and the ways in which one is written.
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

const HEX = '0123456789abcdef';

/** @param {number} length @param {string} [alphabet] */
export function letters(length, alphabet = LETTERS) {
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('');
}

/** Secrets as those who give them out make them. */
const SHAPES = [
  () => `sk-proj-${letters(48)}`,
  () => `sk-ant-api03-${letters(60)}`,
  () => `AIza${letters(35)}`,
  () => `gsk_${letters(52)}`,
  () => `AKIA${letters(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`,
  () => `ghp_${letters(36)}`,
  () => `hf_${letters(34)}`,
  () => `xoxb-${letters(12, '0123456789')}-${letters(24)}`,
  () => `pplx-${letters(48)}`,
  () => `eyJ${letters(30)}.eyJ${letters(60)}.${letters(43)}`,
  () => `tvly-dev-${letters(32)}`,
  () => `npm_${letters(36)}`,
  () => `ATATT3xFf${letters(180)}=${letters(8, '0123456789ABCDEF')}`,
  () => `glsa_${letters(32)}_${letters(8, HEX)}`,
  () => `NRAK-${letters(27, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789')}`,
  () => `${letters(36, HEX)}NRAL`,
  () => `pat${letters(14)}.${letters(64, HEX)}`,
  () => `figd_${letters(40)}`,
  () => `sl.B${letters(130)}`,
  () => `EAAG${letters(140)}`,
  () => `${'A'.repeat(21)}${letters(8)}AAAAAAA${letters(24)}%2B${letters(8)}%3D${letters(50)}`,
  () => `sq0csp-${letters(43)}`,
  () => `AAAA${letters(7)}:APA91b${letters(134)}`,
  () => `sk.eyJ1Ijoi${letters(60)}.${letters(22)}`,
  () => `key-${letters(32, HEX)}`,
  () => `${letters(32, HEX)}-${letters(8, HEX)}-${letters(8, HEX)}`,
  () => `SK${letters(32, HEX)}`,
  () => `https://${letters(32, HEX)}@o${letters(6, '123456789')}.ingest.sentry.io/4507`,
  () => `eyJ${letters(60)}..${letters(16)}.${letters(100)}.${letters(22)}`,
  () => `v4.local.${letters(120)}`,
  () => `${letters(3)}8Q~${letters(34)}`,
  () => `${letters(14)}.atlasv1.${letters(67)}`,
  () => `glptt-${letters(40, HEX)}`,
  () => `dckr_pat_${letters(27)}`,
  () => `tskey-auth-${letters(12)}CNTRL-${letters(32)}`,
];

/** By the names of their variables. The last ones tell nothing by their names. @type {[string, () => string][]} */
const VARIABLES = [
  ['GITHUB_PAT', () => letters(40)],
  ['OPENAI_API_KEY_2', () => letters(32)],
  ['LOWER_PASSWORD', () => letters(20, 'abcdefghijkmnpqrstuvwxyz')],
  ['ODD_PASSWORD', () => `${letters(8)}&/${letters(6)}+=%${letters(8)}`],
  ['QUOTED_SECRET', () => `${letters(9)}"\\${letters(12)}`],
  ['SOME_SETTING', () => letters(36)],
  ['XY_7', () => `${letters(12)}-${letters(12)}-${letters(12)}`],
  ['CI_TOKEN_X', () => letters(32)],
  ['AGENT_SEAL', () => letters(28)],
  ['BUILD_SEAL', () => letters(32, HEX)],
  ['WIDE_TOKEN', () => `${letters(10)}ö€${letters(14)}`],
];

/** What the project declares in `[redact] patterns`. */
export const PATTERN = 'CUST-[A-Z0-9]{16}';
const ofPattern = () => `CUST-${letters(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789')}`;

/** Makes secrets of all kinds by turns, and keeps those that stand in the environment. */
export class SecretMaker {
  /** @type {Record<string, string>} */
  environment = {};
  /** What the configuration of an MCP client gives a server. @type {Record<string, string>} */
  client = {};
  /** Each with the place that it was put into. @type {Map<string, string>} */
  known = new Map();
  #made = 0;

  /** @param {string} place @param {'shape' | 'environment' | 'client' | 'pattern' | 'plain' | 'token'} [kind] */
  make(place, kind) {
    const number = this.#made++;
    const chosen =
      kind ??
      /** @type {const} */ (['shape', 'environment', 'shape', 'pattern', 'environment', 'shape', 'client'])[number % 7];
    const value = this.#value(chosen ?? 'shape', number);
    this.known.set(value, `${place} (${chosen})`);
    return value;
  }

  /** @param {string} kind @param {number} number */
  #value(kind, number) {
    if (kind === 'plain') return letters(28);
    if (kind === 'token') return `AA${letters(33)}`;
    if (kind === 'pattern') return ofPattern();
    if (kind === 'client') {
      const value = letters(28);
      this.client[`${number % 2 === 0 ? 'SERVICE_API_KEY' : 'SEAL'}_${number}`] = value;
      return value;
    }
    if (kind === 'shape') return SHAPES[number % SHAPES.length]?.() ?? '';
    const [name = '', make = letters] = VARIABLES[number % VARIABLES.length] ?? [];
    const value = make(32);
    this.environment[name in this.environment ? `N${number}_${name}` : name] = value;
    return value;
  }
}

/** The ways to write a secret into a text. @type {Record<string, (text: string) => string>} */
export const WRITINGS = {
  plain: (text) => text,
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 of a text': (text) => Buffer.from(`The key is ${text}, keep it.`).toString('base64'),
  base64url: (text) => Buffer.from(`key: ${text} `).toString('base64url'),
  'data URL': (text) => `data:text/plain;base64,${Buffer.from(`key=${text}`).toString('base64')}`,
  'gzip in base64': (text) => gzipSync(`The key is ${text}.`).toString('base64'),
  percent: (text) => encodeURIComponent(text),
  'percent, all': (text) => Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  'JSON in a text': (text) => JSON.stringify({ note: `use ${text}` }),
  'JSON in JSON in a text': (text) => JSON.stringify({ inner: JSON.stringify({ note: text }) }),
  form: (text) => new URLSearchParams({ note: `use ${text} now`, page: '2' }).toString(),
  'entities of HTML': (text) => `<p title="&quot;${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}&quot;">`,
  escapes: (text) => `{"note":"${escaped(text)}"}`,
};

/** Every character as a JSON escape. @param {string} text */
export function escaped(text) {
  return Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
    '',
  );
}

/** @param {string} text @param {number} size */
export function pieces(text, size) {
  const characters = Array.from(text);
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, at) =>
    characters.slice(at * size, (at + 1) * size).join(''),
  );
}
