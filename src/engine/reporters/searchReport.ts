import type { Found, FoundInteraction, FoundTape } from '../../core/model/found';
import { foundFacts, foundName } from '../../core/search/foundWords';
import { grouped, plural } from '../../core/text/counts';
import { escapeInvisible } from '../../core/text/escapeInvisible';
import type { TextStyle } from '../../core/text/textStyle';
import { jsonDocument } from './jsonDocument';
import type { SearchDocument } from './jsonDocuments';

/** @param nameOf The name of a file in the output. */
export function searchJson({ tapes, searched, limit, skipped }: Found, nameOf: (path: string) => string): string {
  return jsonDocument<SearchDocument>(tapes.length > 0, {
    searched,
    limit: limit ?? null,
    tapes: tapes.map(({ path, format, hasMore = false, interactions }) => ({
      path: nameOf(path),
      format,
      hasMore,
      interactions: interactions.map(interactionJson),
    })),
    skipped: skipped.map(({ path, reason }) => ({ path: nameOf(path), reason })),
  });
}

function interactionJson(found: FoundInteraction): SearchDocument['tapes'][number]['interactions'][number] {
  const { index, kind, model = null, tools, status = null, isFailed, cost = null, recordedAt, excerpt } = found;
  const time = recordedAt === undefined ? null : new Date(recordedAt).toISOString();
  return {
    index,
    kind,
    model,
    tools,
    status,
    failed: isFailed,
    cost,
    recordedAt: time,
    excerpt: excerpt?.text ?? null,
  };
}

export function searchText(found: Found, nameOf: (path: string) => string, now: number, ink: TextStyle): string {
  const { tapes, searched, limit } = found;
  const lines = tapes.flatMap((tape) => [ink.bold(nameOf(tape.path)), ...tapeLines(tape, now, ink)]);
  const interactions = tapes.reduce((sum, tape) => sum + tape.interactions.length, 0);
  const counts = interactions === 0 ? '' : `${plural(interactions, 'interaction')} in `;
  const ended = limit === undefined ? '' : `; the search stopped at ${grouped(limit)}, narrow it to see others`;
  const summary = `${counts}${plural(tapes.length, 'tape')} of ${grouped(searched)}${ended}`;
  return `${[...lines, ...(lines.length > 0 ? [''] : []), summary].join('\n')}\n`;
}

function tapeLines({ interactions, hasMore }: FoundTape, now: number, ink: TextStyle): readonly string[] {
  const lines = interactions.map((one) => {
    const { index, excerpt } = one;
    const facts = foundFacts(one, now);
    const head = `  #${index + 1} ${escapeInvisible(foundName(one))}${facts === '' ? '' : ink.dim(` · ${escapeInvisible(facts)}`)}`;
    if (excerpt === undefined) return head;
    const { text, start, end } = excerpt;
    return `${head}\n     ${text.slice(0, start)}${ink.bold(text.slice(start, end))}${text.slice(end)}`;
  });
  return hasMore ? [...lines, ink.dim('  … and more in this tape')] : lines;
}
