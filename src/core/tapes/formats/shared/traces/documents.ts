import { nonBlankLines } from '../../../../json/jsonLines';
import type { JsonNode } from '../../../../json/jsonNode';
import { readJson } from '../../../../json/readJson';
import type { Problem, Span } from '../../../../text/source';
import type { TextParts } from '../../../../text/textParts';

/** A JSON value of a file that may have several, with the offset to add to the positions of its nodes. */
interface TraceDocument {
  readonly root: JsonNode;
  readonly offset: number;
}

/** The number of problems reported for a file in which every document is broken. */
const MAX_PROBLEMS = 100;
/** No export has as many. */
const MAX_DOCUMENTS = 500_000;

/**
 * Visits the JSON values of an export: the only one, one in every line, or objects printed over several lines that follow each
 * other, as consoles show them. What cannot be read is a problem. No document is kept after its visit.
 */
export function visitDocuments(text: TextParts, visit: (document: TraceDocument) => void): readonly Problem[] {
  const problems: Problem[] = [];
  for (const { start, end } of documentSpans(text)) {
    const { value, problems: found } = readJson(end - start === text.length ? text : text.slice(start, end));
    for (const { span, ...problem } of found.slice(0, MAX_PROBLEMS - problems.length))
      problems.push({ ...problem, span: { start: start + span.start, end: start + span.end } });
    if (value !== undefined) visit({ root: value, offset: start });
  }
  return problems;
}

function documentSpans(text: TextParts): Span[] {
  const lines = nonBlankLines(text, 0, MAX_DOCUMENTS + 1).slice(0, MAX_DOCUMENTS);
  const starts = lines.filter(({ start }) => text.startsWith('{', start));
  const spans = starts.map(({ start }, index) => ({
    start,
    end: trimmedEnd(text, starts[index + 1]?.start ?? text.length),
  }));
  const isSeveral = spans.length > 1 && lines[0]?.start === spans[0]?.start && spans.slice(0, 2).some(isWhole);
  return isSeveral ? spans : [{ start: 0, end: text.length }];

  /** In one document without indentation, lines begin with a brace as well. */
  function isWhole({ start, end }: Span): boolean {
    return readJson(text.slice(start, end)).problems.length === 0;
  }
}

function trimmedEnd(text: TextParts, end: number): number {
  let at = end;
  while (at > 0 && /\s/.test(text.slice(at - 1, at))) at -= 1;
  return at;
}
