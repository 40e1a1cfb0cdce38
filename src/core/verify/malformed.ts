import { isBase64 } from '../bytes/base64';
import { itemsOf, type JsonNode, type JsonStringNode, membersOf, visitStrings } from '../json/jsonNode';
import { isNull } from '../json/nodeReader';
import type { HttpBody, NotKept } from '../model/http';
import type { Interaction } from '../model/interaction';
import type { Tape } from '../model/tape';
import { type DocumentRoot, type Documents, readDocuments } from '../tapes/documents';
import type { TapeFormat } from '../tapes/format';
import { isNotRead } from '../tapes/notRead';
import type { TapeFile } from '../tapes/tapeFile';
import { isWritable, newTapeFile, toRecordedInteraction } from '../tapes/writableFormat';
import { message, t } from '../text/l10n';
import type { Span } from '../text/source';
import type { Finding } from './finding';

const RESTORE = message('Restore it from version control, or record the tape again.');

/**
 * Finds YAML that was truncated and is still valid YAML. Recorders write every response, and the same members last, so a file that
 * ends without a response, or within a line of another member, is incomplete.
 */
export function findTruncation(
  file: TapeFile,
  format: TapeFormat,
  tape: Tape,
  { syntax, roots }: Documents,
): Finding[] {
  const { text } = file;
  const { interactions, problems } = tape;
  const recorded = interactions.filter(({ http }) => http !== undefined);
  const notRead = problems.filter(isNotRead).map(({ span }) => span.start);
  // A response that is in the file, and was not read, is told as that; so is a request that failed.
  const isLacking = ({ http, source: { start, end } }: Interaction): boolean =>
    http?.status === undefined && !isExplained(http?.notKept) && !notRead.some((at) => start <= at && at < end);
  const withoutResponse = recorded.filter(isLacking);
  const findings = withoutResponse.map(({ index, source }) =>
    truncationFinding(t('interaction {0} has no response', index + 1), {
      start: source.start,
      end: Math.min(source.end, source.start + 1),
    }),
  );
  const isEnded =
    syntax !== 'yaml' || recorded.length === 0 || text.endsWith('\n') || endsAsWritten(file, format, tape, roots);
  return isEnded
    ? findings
    : [...findings, truncationFinding(t('the file ends in the middle of a line'), lastOf(text))];
}

/** Whether the tape says why there is no response. */
function isExplained(notKept: NotKept | undefined): boolean {
  return notKept !== undefined && notKept.why !== 'absent';
}

/** Whether the last member of a YAML text is one that stands last: of the file, or as in an earlier or a newly written interaction. */
function endsAsWritten(
  file: TapeFile,
  format: TapeFormat,
  { interactions }: Tape,
  roots: readonly DocumentRoot[],
): boolean {
  const path = lastPath(roots.at(-1)?.node);
  if (path === undefined) return false;
  const before = roots.length > 1 ? lastPath(roots.at(-2)?.node) : lastPath(roots.at(-1)?.node, 2);
  if (!path.slice(1).includes('.') || path === before) return true;
  const last = interactions.at(-1);
  // Calls of tools, and others that are not recorded HTTP, end as they like.
  if (last !== undefined && last.http === undefined) return true;
  // Nothing tells how the only interaction of a file ends that is never written here.
  if (last === undefined || !isWritable(format)) return before === undefined;
  const written = newTapeFile(format, '', [toRecordedInteraction(last)], { path: file.path, replaces: file.text });
  return lastPath(readDocuments(written).roots.at(-1)?.node) === path;
}

/** The path of the last value of a document, or of the last one of an earlier item; undefined where it has no value. */
function lastPath(node: JsonNode | undefined, item = 1): string | undefined {
  // A member without a value may have been cut off; one that says null was not.
  if (node === undefined || (isNull(node) && node.start === node.end)) return undefined;
  if (node.type === 'array') {
    const below = lastPath(node.items.at(-item));
    return below === undefined ? undefined : `[]${below}`;
  }
  if (node.type !== 'object') return '';
  const last = node.members.at(-1);
  const below = last && lastPath(last.value, item);
  return last === undefined || below === undefined ? undefined : `.${last.key}${below}`;
}

/** The keys with which recorders begin their YAML. */
const OPENING =
  /^(?:---[^\n]*\n)?(?:["']?version["']?: *\d+\n)?(["']?)(?:interactions|http_interactions|requests|when)\1:/;

/** Reports a file that begins like a tape but that no format recognises. */
export function findRemains(text: string): Finding[] {
  return OPENING.test(text.slice(0, 512))
    ? [truncationFinding(t('the file begins like a tape but cannot be read as one'), lastOf(text))]
    : [];
}

function truncationFinding(what: string, span: Span): Finding {
  const message = t('{0}: the file is probably truncated', what);
  return { severity: 'warning', rule: 'cut-off', message, fix: t(RESTORE), span };
}

function lastOf({ length }: string): Span {
  return { start: Math.max(0, length - 1), end: length };
}

/** More of them are a broken or hostile file, of which nobody reads each. */
const MOST_DUPLICATES = 1000;

/** Reports keys that an object has twice, the first thousand of them: programs use the last one, people read the first. */
export function findDuplicateKeys(roots: readonly DocumentRoot[]): Finding[] {
  const findings: Finding[] = [];
  for (const { node, offset } of roots) visitObjects(node, offset, findings);
  return findings;
}

function visitObjects(node: JsonNode, offset: number, findings: Finding[]): void {
  if (node.type === 'array') for (const item of itemsOf(node)) visitObjects(item, offset, findings);
  if (node.type !== 'object' || findings.length >= MOST_DUPLICATES) return;
  const seen = new Set<string>();
  for (const { key, keySpan, value } of membersOf(node)) {
    if (findings.length >= MOST_DUPLICATES) return;
    if (seen.has(key)) findings.push(duplicate(key, keySpan.start + offset, keySpan.end + offset));
    seen.add(key);
    visitObjects(value, offset, findings);
  }
}

function duplicate(key: string, start: number, end: number): Finding {
  return {
    severity: 'error',
    rule: 'duplicate-key',
    message: t('`{0}` occurs twice in one object: programs read only the last one', key.slice(0, 80)),
    fix: t('Remove the wrong one.'),
    span: { start, end },
  };
}

const DATA_URL = /^data:[^,]{0,200};base64,/;
/** In JSON, which has no other escapes of letters, and no tag for binary strings. */
const MAY_HAVE_DATA_URL = /base64|\\u00[2-7]/;
/** Beginnings of scalars, quoted or not, whose first character is another one. */
const OTHER_START = /^(?:["'][A-Za-ce-z\d{[<(]|[A-Za-ce-z\d])/;

/**
 * Reports base64 that does not decode: bodies whose format stores them as base64, strings with YAML's binary tag, and data
 * URLs that are whole values.
 */
export function findBadBase64(text: string, tape: Tape, { syntax, roots }: Documents): Finding[] {
  const bodies = new Set(
    tape.interactions.flatMap(({ http }) => [http?.requestBody, http?.responseBody].flatMap(badBody)),
  );
  const findings: Finding[] = [];
  if (bodies.size === 0 && syntax !== 'yaml' && !MAY_HAVE_DATA_URL.test(text)) return findings;
  for (const { node, offset } of roots)
    visitStrings(node, (string) => {
      if (mayBeEncoded(text, string, offset, bodies)) findings.push(...checkString(text, string, offset, bodies));
    });
  return findings;
}

/** Judges a string by how it begins in the text, so that most need not be decoded. */
function mayBeEncoded(
  text: string,
  { start, binary }: JsonStringNode,
  offset: number,
  bodies: ReadonlySet<string>,
): boolean {
  return binary === true || bodies.size > 0 || !OTHER_START.test(text.slice(start + offset, start + offset + 2));
}

function badBody(body: HttpBody | undefined): string[] {
  return body?.type === 'base64' && !isBase64(body.base64) ? [body.base64] : [];
}

function checkString(text: string, node: JsonStringNode, offset: number, bodies: ReadonlySet<string>): Finding[] {
  const prefix = DATA_URL.exec(node.value.slice(0, 256))?.[0];
  const encoded = node.binary || bodies.has(node.value) ? node.value : prefix && node.value.slice(prefix.length);
  if (encoded === undefined || isBase64(encoded)) return [];
  const span = firstBad(text, { start: node.start + offset, end: node.end + offset }, prefix?.length ?? 0);
  const message = t('invalid base64: the recorded data is damaged, or was edited by hand');
  return [{ severity: 'error', rule: 'base64', message, fix: t(RESTORE), span }];
}

/** The first character that is invalid in base64, or the end of truncated data. */
function firstBad(text: string, { start, end }: Span, skipped: number): Span {
  const token = text.slice(start, end);
  const opening = /^(?:[|>][^\n]*\n|["'])?/.exec(token)?.[0].length ?? 0;
  const content = token.slice(opening + skipped).replace(/["']\s*$/, '');
  const bad = content.search(/[^A-Za-z0-9+/=\s_-]|=(?=\s*[^=\s])/);
  const at = start + opening + skipped + (bad === -1 ? Math.max(0, content.trimEnd().length - 1) : bad);
  return { start: Math.min(at, end), end: Math.min(at + 1, end) };
}
