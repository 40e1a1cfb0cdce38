import type { JsonNode, JsonObjectNode } from '../json/jsonNode';
import { looksLikeJson } from '../json/jsonOutline';
import type { FormatId } from '../model/tape';
import { counted, listed } from '../text/counts';
import { message, t } from '../text/l10n';
import type { Problem, Span } from '../text/source';
import type { TextParts } from '../text/textParts';
import { readYaml } from '../yaml/readYaml';
import { otherProgram } from './otherPrograms';
import { jsonDocuments, saidIn } from './saidTexts';

/** The code of a problem that says: this holds content, and was not read. Nothing is written over a file that has one. */
const NOT_READ = 'not-read';

/**
 * The problem of content that was not read: what it is, as a noun phrase, where, and the program whose file this seems to be, if that
 * is known.
 */
export function notRead(what: string, place: Span, program?: string): Problem {
  return ofAnother(
    program === undefined
      ? t('content was not read: {0}', what)
      : t('content was not read, as this looks like a file of {0}: {1}', program, what),
    place,
    program,
  );
}

/** A problem of a file that another program wrote, or a version of one that is not known, with the way out. */
export function ofAnother(message: string, { start, end }: Span, program?: string): Problem {
  const fix =
    program === undefined
      ? t(
          'It may come from another program or version: use that to read it and to record to it. Tapedeck does not overwrite it: record to another file, or delete this one.',
        )
      : t(
          'Use {0} to read it and to record to it. Tapedeck does not overwrite it: record to another file, or delete this one.',
          program,
        );
  return { severity: 'error', code: NOT_READ, message, fix, span: { start, end: Math.min(end, start + 1) } };
}

/**
 * The problem of documents of YAML after the one that is read, of a format whose files have one. An empty one may stand at an end, and one of
 * a few values is a note of the program that records, which its recorder does not read either.
 */
export function unreadDocuments(documents: readonly JsonNode[]): Problem[] {
  const [, second, third] = documents.filter(({ type }) => type !== 'literal');
  if (second === undefined) return [];
  if (third !== undefined || !isOfNotes(second))
    return [{ ...notRead(t('a second document of YAML'), second), fix: t('Move it to its own file.') }];
  const names = listed(second.members.map(({ key }) => `\`${key}\``));
  return [
    {
      severity: 'info',
      message: t('a second document of YAML is not shown: {0}', names),
      fix: t('You can ignore this: it contains no request or response.'),
      span: { start: second.start, end: second.start + 1 },
    },
  ];
}

/** A longer text may be a body. */
const LONGEST_NOTE = 200;

function isOfNotes(document: JsonNode): document is JsonObjectNode {
  return (
    document.type === 'object' &&
    saidIn(document).length === 0 &&
    document.members.every(({ value }) =>
      value.type === 'string'
        ? value.value.length <= LONGEST_NOTE
        : value.type === 'number' || value.type === 'literal',
    )
  );
}

const UNMARKED_CALL = message(
  'You can ignore this unless a model call is missing. In that case, its span is not marked as a model call.',
);

/** What the steps around calls were given and gave: no message of a call, unless one of them is a call that is not known as one. */
export function ofSteps(what: string, span: Span): Problem {
  return {
    severity: 'info',
    message: t('what steps around the calls were given and returned is not shown: {0}', what),
    fix: t(UNMARKED_CALL),
    span,
  };
}

/** The problem of a trace in which all spans are steps: that is so of many, and may be of one whose calls are not known as such. */
export function withoutCalls({ start }: Span): Problem {
  return {
    severity: 'warning',
    code: NOT_READ,
    message: t('no span of the trace is a call of a model or of a tool'),
    fix: t(UNMARKED_CALL),
    span: { start, end: start + 1 },
  };
}

export function isNotRead({ code }: Problem): boolean {
  return code === NOT_READ;
}

/**
 * The problem of records, by their places, which hold texts that are not among those that were read of them: how many, at the place of
 * the first. None if there is no such text.
 */
export function unreadRecords(format: FormatId, text: TextParts, records: readonly UnheardRecord[]): Problem[] {
  const unread = records.filter(({ place, read = '' }) =>
    nodesAt(text, place).some((node) =>
      saidIn(node).some(({ kind, text: said }) => (kind === 'text' || kind === 'call') && !read.includes(said)),
    ),
  );
  const [first] = unread;
  if (first === undefined) return [];
  const what = counted(unread.length, 'text in {0} record', 'text in {0} records');
  return [notRead(what, first.place, otherProgram(format, nodesAt(text, first.place)[0]))];
}

/** A record of which no message was read, or not all of them, and the texts that were. */
export interface UnheardRecord {
  readonly place: Span;
  readonly read?: string;
}

/** A record in JSON or YAML. Of several lines, each may be one. */
function nodesAt(text: TextParts, { start, end }: Span): readonly JsonNode[] {
  const record = text.slice(start, end);
  return looksLikeJson(record)
    ? jsonDocuments(record).map(({ node }) => node)
    : (readYaml(text.slice(lineStart(text, start), end)).value ?? []);
}

/** A record of a list in YAML is indented like its first line, which begins with a dash. */
function lineStart(text: TextParts, at: number): number {
  let start = at;
  while (start > 0 && text.charCodeAt(start - 1) !== NEWLINE) start -= 1;
  return start;
}

const NEWLINE = 0x0a;
