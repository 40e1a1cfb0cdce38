import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PlaybackStep } from '../../src/core/transcript/playback';
import type { TranscriptMatches } from '../../src/core/transcript/searchTranscript';
import type { TextPlace, TranscriptQuery } from '../../src/protocol/transcript';
import type { MendParams } from '../../src/protocol/transcriptDrift';
import type { ViewAction } from './viewState';

/** What the parts of the page can ask for. Failures are shown by the page, so nothing here throws or rejects. */
export interface Actions {
  change(action: ViewAction): void;
  openLink(url: string): void;
  revealSource(interaction: number): void;
  revealLine(line: number): void;
  openAsText(): void;
  mend(params: MendParams): void;
  /** The source of an interaction. Unlike the others, these reject. */
  raw(interaction: number): Promise<string>;
  more(place: TextPlace): Promise<string>;
  search(query: TranscriptQuery): Promise<TranscriptMatches>;
  playback(interaction: number): Promise<readonly PlaybackStep[]>;
}

export const ActionsContext = createContext<Actions | undefined>(undefined);

export function useActions(): Actions {
  const actions = useContext(ActionsContext);
  if (actions === undefined) throw new Error('there are no actions above this component');
  return actions;
}
