import { message, t } from '../text/l10n';
import type { LiteralMatch } from '../text/literalFinder';
import type { Span } from '../text/source';
import { KeyLineReader, type KeyMark, type KeyText } from './keyLines';
import type { SearchedText } from './searchedText';
import { HIDDEN_KEY, type SecretHit } from './secretHit';

/** What the markers of keys contain: those of PEM, OpenSSH, and PGP, also in a form; and those of PuTTY. */
const MARKERS = ['PRIVATE KEY', 'PRIVATE+KEY', 'Private-Lines:', 'Private-MAC:'];

/**
 * How the first line of a key begins, with the number of characters before it: `MII`, and a length. A key may have lost its
 * marker to `sed` or `grep -v`.
 */
const BEGINNINGS: ReadonlyMap<string, number> = new Map([
  // RSA in PKCS #8; and in PKCS #1, with 1024, 2048, 3072, and 4096 bits.
  ['IBADANBgkqhkiG9w0BAQEFAASC', 6],
  ['IBAAKBgQ', 6],
  ['IBAAKCAQEA', 6],
  ['IBAAKCAYEA', 6],
  ['IBAAKCAgEA', 6],
  // The curves P-256, P-384, P-521, and secp256k1 in SEC 1, and in PKCS #8.
  ['MHcCAQEEI', 0],
  ['MIGkAgEBBD', 0],
  ['MIHcAgEBBE', 0],
  ['MHQCAQEEI', 0],
  ['MIGHAgEAMBMGByqGSM49', 0],
  ['MIG2AgEAMBAGByqGSM49', 0],
  ['MIHuAgEAMBAGByqGSM49', 0],
  ['MIGEAgEAMBAGByqGSM49', 0],
  // Ed25519 and X25519.
  ['MC4CAQAwBQYDK2Vw', 0],
  ['MC4CAQAwBQYDK2Vu', 0],
  // OpenSSH.
  ['b3BlbnNzaC1rZXktdjEA', 0],
]);

/** One of these is in every text with a private key that can be told. */
export const PRIVATE_KEY_LITERALS: readonly string[] = [...MARKERS, ...BEGINNINGS.keys()];

/** Before all others: the placeholder of a key stands for what else its lines resemble. */
const RANK = 0;

/** The private keys in a text, whole, or cut off at either end. `found` is where the literals are in it. */
export function findPrivateKeys(searched: SearchedText, found: readonly LiteralMatch[]): SecretHit[] {
  if (found.length === 0) return [];
  const { text } = searched;
  const reader = new KeyLineReader(searched);
  const marks = found.flatMap((match) => markAt(text, match) ?? []);
  const markers = marks.filter(({ type }) => type !== 'beginning');
  const hits: SecretHit[] = [];
  let from = 0;
  let next = 0;
  for (const mark of marks) {
    if (mark.start < from) continue;
    // Nothing is read beyond the next marker, so that any number of them takes linear time.
    while (next < markers.length && (markers[next]?.start ?? 0) <= mark.start) next += 1;
    const key = mark.type === 'foot' ? reader.before(mark, from) : reader.after(mark, markers[next]);
    if (key !== undefined) hits.push(...hitsOf(key, mark));
    from = Math.max(mark.end, key?.end ?? 0);
  }
  return hits;
}

/**
 * One hit for each stretch of lines with nothing visible between them, the marker before them included. The first stands for
 * the key.
 */
function hitsOf({ lines, end: keyEnd, length }: KeyText, mark: KeyMark): SecretHit[] {
  const parts: Span[] = mark.type === 'head' && lines[0].isNext ? [mark] : [];
  for (const line of lines) {
    const last = line.isNext ? parts.pop() : undefined;
    parts.push({ start: last?.start ?? line.start, end: line === lines.at(-1) ? keyEnd : line.end });
  }
  return parts.map(({ start, end }, index) => ({
    rule: 'private-key',
    what: message('a private key'),
    excerpt: t('… ({0} characters)', length),
    start,
    end,
    placeholder: HIDDEN_KEY,
    rank: RANK,
    ...(index > 0 && { isContinued: true }),
  }));
}

const LONGEST_BEFORE = 60;
const BEFORE_NAME = /[-\u2010-\u2015]{2,5}[ +]?(BEGIN|END)[ +](?:[A-Z0-9]{2,12}[ +]){0,4}$/;
const AFTER_NAME = /PRIVATE[ +]KEY(?:[ +]BLOCK)?[ +]?[-\u2010-\u2015]{2,5}/y;
const LINE_COUNT = /Private-Lines:[ +]?\d{1,4}/y;

function markAt(text: string, { index, literal }: LiteralMatch): KeyMark | undefined {
  const before = BEGINNINGS.get(literal);
  if (before !== undefined) {
    const start = index - before;
    return text.charAt(start) === literal.charAt(0) || text.startsWith('MII', start)
      ? { type: 'beginning', start, end: start }
      : undefined;
  }
  if (literal === 'Private-MAC:') return { type: 'foot', start: index, end: index + literal.length };
  if (literal === 'Private-Lines:') {
    LINE_COUNT.lastIndex = index;
    const [written] = LINE_COUNT.exec(text) ?? [];
    return written === undefined ? undefined : { type: 'head', start: index, end: index + written.length };
  }
  AFTER_NAME.lastIndex = index;
  const [name] = AFTER_NAME.exec(text) ?? [];
  const [opening, word] = BEFORE_NAME.exec(text.slice(Math.max(0, index - LONGEST_BEFORE), index)) ?? [];
  if (name === undefined || opening === undefined) return undefined;
  const [start, end] = [index - opening.length, index + name.length];
  // The whole key is read when the form is decoded.
  const isEncoded = name.includes('+') && (text.charAt(end) === '%' || text.charAt(start - 3) === '%');
  return isEncoded ? undefined : { type: word === 'BEGIN' ? 'head' : 'foot', start, end };
}
