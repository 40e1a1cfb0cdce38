import type { Usage } from '../../src/core/tapes/tape';
import type { Transcript, TranscriptEntry } from '../../src/core/transcript/transcript';

/** One interaction as it is shown: a head, and the messages it added to the conversation. */
export interface InteractionView {
  readonly index: number;
  readonly model?: string;
  readonly usage?: Usage;
  readonly entries: readonly EntryView[];
}

export interface EntryView {
  /** The same for the same message as long as the tape's order stands; what is open or current is kept under it. */
  readonly key: string;
  readonly entry: TranscriptEntry;
}

/** Groups a transcript by interaction. What is as it was in `previous` keeps its identity, and is not rendered again. */
export function viewInteractions(
  transcript: Transcript,
  previous: readonly InteractionView[] = [],
): readonly InteractionView[] {
  const before = new Map(previous.map((view) => [view.index, view]));
  const groups = new Map<number, TranscriptEntry[]>();
  for (const entry of transcript.entries) {
    const group = groups.get(entry.interaction);
    if (group === undefined) groups.set(entry.interaction, [entry]);
    else group.push(entry);
  }
  return [...groups].map(([index, entries]) => {
    const view = viewInteraction(index, entries);
    const known = before.get(index);
    return known !== undefined && JSON.stringify(known) === JSON.stringify(view) ? known : view;
  });
}

function viewInteraction(index: number, entries: readonly TranscriptEntry[]): InteractionView {
  const response = entries.find(({ origin }) => origin === 'response');
  return {
    index,
    ...(response?.model === undefined ? {} : { model: response.model }),
    ...(response?.usage === undefined ? {} : { usage: response.usage }),
    entries: entries.map((entry, position) => ({
      key: `${index}.${entry.origin === 'response' ? 'response' : position}`,
      entry,
    })),
  };
}

const ROLE_NAMES: ReadonlyMap<string, string> = new Map([
  ['system', 'System'],
  ['developer', 'Developer'],
  ['user', 'User'],
  ['assistant', 'Assistant'],
  ['tool', 'Tool result'],
  ['http', 'HTTP'],
]);

/** As the interface calls a role; one that is not known is called what the tape calls it. */
export function roleName(role: string): string {
  return ROLE_NAMES.get(role) ?? (role || 'No role');
}

/** What a screen reader says of a message, such as "Assistant, interaction 3, 340 tokens". */
export function entryLabel({ role, interaction, usage }: TranscriptEntry): string {
  const tokens = usage === undefined ? '' : `, ${usage.totalTokens} tokens`;
  return `${roleName(role)}, interaction ${interaction + 1}${tokens}`;
}
