import type { EntryView, InteractionView } from '../state/viewModel';

/** A parsed filter. */
export interface TranscriptFilter {
  interaction(view: InteractionView): boolean;
  entry(view: EntryView): boolean;
}

interface Term {
  readonly name: string;
  readonly value: string;
  readonly isNot: boolean;
}

const TERM = /(-?)(?:(role|tool|model|is|in):("[^"]*"|\S*)|("[^"]*"|\S+))/gi;

/**
 * Parses a filter: `role:user`, `tool:search`, `model:gpt`, `is:error`, `is:changed`, `is:llm`, `is:http`, `in:2` (a
 * conversation, from 1), words of an interaction's title; each with `-` for its opposite. All terms must match.
 * A term that is still being typed, such as `role:` or `-`, is none. Returns undefined for a filter without terms.
 */
export function parseFilter(text: string): TranscriptFilter | undefined {
  const terms = [...text.matchAll(TERM)]
    .map(
      ([, not = '', name = 'words', value, words = '']): Term => ({
        name: name.toLowerCase(),
        value: (value ?? words).replaceAll('"', '').toLowerCase(),
        isNot: not === '-',
      }),
    )
    .filter(({ value }) => value !== '' && value !== '-');
  if (terms.length === 0) return undefined;
  const ofEntry = terms.filter(({ name }) => name === 'role');
  const ofInteraction = terms.filter(({ name }) => name !== 'role');
  return {
    interaction: (view) => ofInteraction.every((term) => matchesTerm(term, view) !== term.isNot),
    entry: ({ summary }) => ofEntry.every(({ value, isNot }) => summary.role.toLowerCase().startsWith(value) !== isNot),
  };
}

function matchesTerm({ name, value }: Term, { summary }: InteractionView): boolean {
  const { model = '', title, entries, conversation } = summary;
  switch (name) {
    case 'tool':
      return entries.some(({ tools = [] }) => tools.some((tool) => tool.toLowerCase().includes(value)));
    case 'model':
      return model.toLowerCase().includes(value);
    case 'in':
      return conversation !== undefined && String(conversation + 1) === value;
    case 'is':
      return matchesState(value, summary);
    default:
      return title.toLowerCase().includes(value);
  }
}

function matchesState(
  value: string,
  { kind, failed, changes, entries, relation }: InteractionView['summary'],
): boolean {
  if (value === 'error') return failed || entries.some(({ isError }) => isError === true);
  if (value === 'changed') return changes > 0;
  if (value === 'retry') return relation === 'resend';
  return kind === value;
}

/** The terms that separate the interactions of a tape, each with how many interactions match it. */
export function suggestFilters(interactions: readonly InteractionView[]): readonly { text: string; count: number }[] {
  const counts = new Map<string, number>();
  const add = (text: string): Map<string, number> => counts.set(text, (counts.get(text) ?? 0) + 1);
  for (const view of interactions) for (const text of new Set(termsOf(view))) add(text);
  const all = [...counts].map(([text, count]) => ({ text, count }));
  const useful = all.filter(({ text, count }) => count < interactions.length || text.startsWith('is:error'));
  return useful.sort((left, right) => rank(left.text) - rank(right.text) || right.count - left.count).slice(0, 10);
}

function termsOf({ summary }: InteractionView): string[] {
  const { entries, model, kind, changes } = summary;
  return [
    ...(matchesState('error', summary) ? ['is:error'] : []),
    ...(changes > 0 ? ['is:changed'] : []),
    kind === 'http' ? 'is:http' : '-is:http',
    ...entries.flatMap(({ tools = [] }) => tools.map((tool) => `tool:${quoted(tool)}`)),
    ...(model === undefined ? [] : [`model:${quoted(model)}`]),
  ];
}

function quoted(text: string): string {
  return /\s/.test(text) ? `"${text}"` : text;
}

const RANKS = ['is:error', 'is:changed', 'is:http', '-is:http', 'tool:', 'model:'];

function rank(text: string): number {
  return RANKS.findIndex((start) => text.startsWith(start));
}
