import { useMemo, useRef } from 'preact/hooks';
import { roleName } from '../../../src/core/transcript/roleName';
import type { EntrySummary, InteractionSummary } from '../../../src/core/transcript/summary';
import type { TranscriptEntry } from '../../../src/core/transcript/transcript';

/** One interaction as it is shown: a head, and the messages it added to the conversation. */
export interface InteractionView {
  readonly index: number;
  readonly summary: InteractionSummary;
  readonly entries: readonly EntryView[];
}

export interface EntryView {
  /** The same for the same message as long as the tape's order stands; what is open or current is kept under it. */
  readonly key: string;
  readonly interaction: number;
  /** From 0, among the entries of the interaction. */
  readonly position: number;
  readonly summary: EntrySummary;
}

/** Groups what is known by interaction. What is the same as before keeps its identity, and is not rendered again; so does all of it. */
export function viewInteractions(
  summaries: readonly InteractionSummary[],
  previous: readonly InteractionView[] = [],
): readonly InteractionView[] {
  const views = summaries.map((summary, at) => {
    const known = previous[at];
    if (known !== undefined && (known.summary === summary || JSON.stringify(known.summary) === JSON.stringify(summary)))
      return known;
    return viewInteraction(summary);
  });
  return views.length === previous.length && views.every((view, at) => view === previous[at]) ? previous : views;
}

function viewInteraction(summary: InteractionSummary): InteractionView {
  const { index, entries } = summary;
  return {
    index,
    summary,
    entries: entries.map((entry, position) => ({
      key: entryKey(index, entry.origin === 'response' ? 'response' : position),
      interaction: index,
      position,
      summary: entry,
    })),
  };
}

export function entryKey(interaction: number, place: number | 'response'): string {
  return `${interaction}.${place}`;
}

/** What a screen reader says of a message, such as "Assistant, interaction 3, 340 tokens". */
export function entryLabel({ interaction, summary: { role, origin } }: EntryView, tokens: number | undefined): string {
  const used = tokens === undefined || origin === 'request' ? '' : `, ${tokens} tokens`;
  return `${roleName(role)}, interaction ${interaction + 1}${used}`;
}

/** The entry of a view, once its interaction is there in full. */
export type EntryOf = (view: EntryView) => TranscriptEntry | undefined;

/** The interactions of a transcript; those that a new transcript leaves as they were stay the same objects. */
export function useInteractions(summaries: readonly InteractionSummary[]): readonly InteractionView[] {
  const previous = useRef<readonly InteractionView[]>([]);
  const interactions = useMemo(() => viewInteractions(summaries, previous.current), [summaries]);
  previous.current = interactions;
  return interactions;
}
