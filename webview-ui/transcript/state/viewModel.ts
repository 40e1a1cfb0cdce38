import { useMemo, useRef } from 'preact/hooks';
import { counted } from '../../../src/core/text/counts';
import { t } from '../../../src/core/text/l10n';
import { roleName } from '../../../src/core/transcript/roleName';
import type { EntrySummary, InteractionSummary } from '../../../src/core/transcript/summary';

/** One interaction as it is shown: its summary, and the messages that it added to the conversation. */
export interface InteractionView {
  readonly index: number;
  readonly summary: InteractionSummary;
  readonly entries: readonly EntryView[];
}

export interface EntryView {
  /** Identifies the message while the order of the tape stays; the state of the view is kept under it. */
  readonly key: string;
  readonly interaction: number;
  /** From 0, among the entries of the interaction. */
  readonly position: number;
  readonly summary: EntrySummary;
}

/** The views of interactions. Equal ones, and an equal list, keep their identity, so that they are not rendered again. */
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

/** The label of a message for screen readers, such as "Assistant, interaction 3, 340 tokens". */
export function entryLabel({ interaction, summary: { role, origin } }: EntryView, tokens: number | undefined): string {
  const [name, number] = [roleName(role), interaction + 1];
  return tokens === undefined || origin === 'request'
    ? t('{0}, interaction {1}', name, number)
    : counted(tokens, '{1}, interaction {2}, {0} token', '{1}, interaction {2}, {0} tokens', name, number);
}

/** The interactions of a transcript. Those that a new transcript leaves unchanged stay the same objects. */
export function useInteractions(summaries: readonly InteractionSummary[]): readonly InteractionView[] {
  const previous = useRef<readonly InteractionView[]>([]);
  const interactions = useMemo(() => viewInteractions(summaries, previous.current), [summaries]);
  previous.current = interactions;
  return interactions;
}
