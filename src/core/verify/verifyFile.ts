import { compactJson, type Json } from '../json/json';
import type { HttpBody, HttpExchange } from '../model/http';
import type { Interaction } from '../model/interaction';
import type { FormatId, Tape } from '../model/tape';
import type { SecretSearch } from '../secrets/secretSearch';
import { readDocuments } from '../tapes/documents';
import type { TapeFormat } from '../tapes/format';
import { isNotRead } from '../tapes/notRead';
import { detectFormat } from '../tapes/readTape';
import type { TapeFile } from '../tapes/tapeFile';
import { conflictProblem, UNREADABLE } from '../tapes/unreadable';
import { t } from '../text/l10n';
import type { Problem } from '../text/source';
import { findDamage, missingContent } from './damagedTape';
import type { Finding } from './finding';
import { findFileSecrets, findLeakedSecrets } from './leakedSecrets';
import { findBadBase64, findDuplicateKeys, findTruncation } from './malformed';

/** The findings in a file that is a tape, or was meant to be one. */
interface VerifiedFile {
  /** Absent if the file is too damaged to recognise it. */
  readonly format?: FormatId;
  /** Absent likewise. */
  readonly tape?: Tape;
  readonly interactions: number;
  /** In the order of the file. */
  readonly findings: readonly Finding[];
}

/**
 * Verifies one file. Undefined if it is not a tape, nor a damaged one. `secrets` is the search of the project's recorder; by
 * default, secrets are known by their shapes and names.
 */
export function verifyFile(file: TapeFile, secrets?: SecretSearch): VerifiedFile | undefined {
  const missing = missingContent(file);
  if (missing !== undefined) return { interactions: 0, findings: [missing] };
  const format = detectFormat(file);
  if (format === UNREADABLE) return verifyConflict(file, secrets);
  if (format !== undefined) return verifyTape(file, format, secrets);
  const findings = findDamage(file);
  return findings.length === 0 ? undefined : { interactions: 0, findings };
}

/** A tape with two versions in it is only searched for secrets: whatever else seems wrong follows from that. */
function verifyConflict(file: TapeFile, secrets: SecretSearch | undefined): VerifiedFile {
  const problem = conflictProblem(file);
  const conflict: Finding[] = problem === undefined ? [] : [{ ...problem, rule: 'conflict' }];
  return { interactions: 0, findings: [...conflict, ...findFileSecrets(file, secrets)].sort(byPlace) };
}

/** The findings in a file that stands where only tapes do, and that no format knows: `check` asks about it, too. */
export function verifyUnknownFile(file: TapeFile, secrets?: SecretSearch): VerifiedFile {
  const unknown: Finding = {
    severity: 'info',
    rule: 'unknown',
    message: t('it is not a tape in a known format, so it was only checked for secrets'),
    span: { start: 0, end: 0 },
  };
  return { interactions: 0, findings: [unknown, ...findFileSecrets(file, secrets)] };
}

function verifyTape(file: TapeFile, format: TapeFormat, secrets: SecretSearch | undefined): VerifiedFile {
  const tape = format.read(file);
  const documents = readDocuments(file);
  const encoded = findBadBase64(file.text, tape, documents);
  const findings: Finding[] = [
    // Formats report the body with invalid base64; `encoded` has the character.
    ...tape.problems.filter(({ message }) => encoded.length === 0 || !/base64/.test(message)).map(ofFormat),
    ...findDuplicateKeys(documents.roots),
    ...encoded,
    ...findTruncation(file, format, tape, documents),
    ...findLeakedSecrets({ file, tape, roots: documents.roots }, secrets),
    // Where bodies were not read, interactions look alike that are not.
    ...(tape.problems.some(isNotRead) ? [] : findRepeatedInteractions(file.text, tape)),
  ];
  return { format: format.id, tape, interactions: tape.interactions.length, findings: findings.sort(byPlace) };
}

function ofFormat(problem: Problem): Finding {
  return { ...problem, rule: isNotRead(problem) ? 'not-read' : 'format' };
}

function byPlace(left: Finding, right: Finding): number {
  return left.span.start - right.span.start;
}

/**
 * Reports interactions that are identical to an earlier one. The same request with another response is no repetition: replay
 * by sequence serves both, and formats that cannot replay it report that themselves. In no order.
 */
function findRepeatedInteractions(text: string, { interactions }: Tape): Finding[] {
  const alike = new Map<string, Interaction[]>();
  for (const interaction of interactions) {
    // What was not kept may have been another response.
    if (interaction.http?.notKept !== undefined) continue;
    const key = likenessOf(interaction);
    const others = alike.get(key);
    if (others === undefined) alike.set(key, [interaction]);
    else others.push(interaction);
  }
  return [...alike.values()].flatMap((some) => (some.length < 2 ? [] : repeatedAmong(text, some)));
}

function repeatedAmong(text: string, interactions: readonly Interaction[]): Finding[] {
  const seen = new Map<string, number>();
  return interactions.flatMap((interaction): Finding[] => {
    const key = identityOf(text, interaction);
    const first = key === undefined ? undefined : seen.get(key);
    if (key !== undefined && first === undefined) seen.set(key, interaction.index);
    return first === undefined ? [] : [repeated(interaction, first)];
  });
}

/** What interactions that are identical have in common, found without writing their bodies. */
function likenessOf({ http, source }: Interaction): string {
  if (http === undefined) return `${source.end - source.start}`;
  const { method, url, requestBody, status, responseBody } = http;
  return `${method} ${url} ${status} ${weightOf(requestBody)} ${weightOf(responseBody)}`;
}

function weightOf(body: HttpBody): number {
  return body.type === 'json' ? jsonWeight(body.json) : bodyText(body).length;
}

/** The length of all strings in it, and the number of other values. */
function jsonWeight(value: Json): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let weight = 1;
  for (const item of Object.values(value)) weight += jsonWeight(item);
  return weight;
}

function repeated({ index, source }: Interaction, first: number): Finding {
  return {
    severity: 'info',
    rule: 'repeated',
    message: t('interaction {0} has the same request and response as interaction {1}', index + 1, first + 1),
    fix: t('Remove it, unless the agent really sends the request twice.'),
    span: { start: source.start, end: Math.min(source.end, source.start + 1) },
  };
}

/** The content of an interaction without the times and numbers that recorders add. */
function identityOf(text: string, { http, source }: Interaction): string | undefined {
  if (http !== undefined) return httpIdentity(http);
  return source.end > source.start ? text.slice(source.start, source.end) : undefined;
}

function httpIdentity({ method, url, requestBody, status, responseBody }: HttpExchange): string {
  return compactJson([method, url, status ?? null, bodyText(requestBody), bodyText(responseBody)]);
}

function bodyText(body: HttpBody): string {
  if (body.type === 'text') return body.text;
  if (body.type === 'base64') return body.base64;
  if (body.type === 'json') return compactJson(body.json);
  return body.type === 'chunks' ? body.chunks.map(({ data }) => data).join('') : '';
}
