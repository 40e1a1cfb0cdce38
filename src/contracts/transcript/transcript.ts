import type { FormatId, TapeFamily } from '../../core/model/tape';
import { count, list, nothing, nullable, optional, shape, text, trusted, type Value } from '../../core/schema/schema';
import type { TapeTotals } from '../../core/transcript/metrics';
import type { PlaybackStep } from '../../core/transcript/playback';
import type { TranscriptMatches } from '../../core/transcript/searchTranscript';
import type { InteractionSummary } from '../../core/transcript/summary';
import type { InteractionBody, TranscriptProblem } from '../../core/transcript/transcript';
import { call, contract, returns } from '../contract';
import { externalLink } from '../externalLink';
import { holdsCalls } from '../holds';
import { editingCalls } from './transcriptEditing';
import { fixDrift, previousTotalsUpdate, runProgress, shownDrift } from './transcriptEvents';
import { shownHolds } from './transcriptHolds';

export const atInteraction = shape({ interaction: count() });

/** A place in a text of an entry (from 0) of an interaction, from `start` on, in UTF-16 units; parts are named as in `searchParts`. */
const textPlace = shape({ interaction: count(), entry: count(), part: text(), start: count() });
export type TextPlace = Value<typeof textPlace>;

const transcriptQuery = shape({ query: text(), from: count() });
export type TranscriptQuery = Value<typeof transcriptQuery>;

/** The queries of a tape: from the page to the host, and from the host to the thread that reads a large tape. */
export const tapeQueries = {
  /** Whole interactions, of those already announced. Very long texts are cut after their beginning. */
  bodies: call(shape({ interactions: list(count()) }), returns<readonly InteractionBody[]>()),
  /** The next part of a text that was cut. */
  more: call(textPlace, returns<string>()),
  /** Searches from an interaction on, for a limited time; `next` of the result is where to continue. */
  search: call(transcriptQuery, returns<TranscriptMatches>()),
  /** The timed pieces of a streamed response; empty if no timing was recorded. */
  playback: call(atInteraction, returns<readonly PlaybackStep[]>()),
  /** The source text of an interaction, up to the length that is shown at once. */
  source: call(atInteraction, returns<string>()),
  /** Why this tape is read-only, as a sentence; null if it can be edited. */
  readOnlyReason: call(nothing, returns<string | null>()),
};

export const READING_MODES = ['summary', 'normal', 'verbose'] as const;
export type ReadingMode = (typeof READING_MODES)[number];

/** Factors of the recorded speed at which a streamed response is played; `max`: without pauses. */
export const PLAY_SPEEDS = ['0.5', '1', '2', '5', 'max'] as const;
export type PlaySpeed = (typeof PLAY_SPEEDS)[number];

/** The overview of a tape, without messages. */
export interface TranscriptOverview {
  /** Differs for each content of the document. */
  readonly version: number;
  readonly name: string;
  readonly format: FormatId;
  readonly formatLabel: string;
  readonly family: TapeFamily;
  /** The number of interactions of the tape. */
  readonly length: number;
  /** Those that have been read so far, from the first on. */
  readonly interactions: readonly InteractionSummary[];
  readonly totals: TapeTotals;
  /** Complete when the whole tape has been read. */
  readonly problems: readonly TranscriptProblem[];
}

/** A tape, or why its file cannot be shown as one. */
export type TranscriptState =
  | { readonly type: 'transcript'; readonly transcript: TranscriptOverview }
  | {
      readonly type: 'unreadable';
      readonly message: string;
      /** It has requests or responses of models, so that its format can be described. */
      readonly canDescribe?: boolean;
    };

/** The next part of a tape that is still being read. */
export interface TranscriptGrowth {
  readonly version: number;
  /** The index of the first of `interactions`; earlier ones were announced before. */
  readonly from: number;
  readonly interactions: readonly InteractionSummary[];
  /** Indexes of interactions announced before, with a tool call whose result was read now. */
  readonly joined: readonly number[];
  readonly totals: TapeTotals;
  readonly problems: readonly TranscriptProblem[];
}

const readerPreferences = shape({
  /** The level of detail. */
  mode: optional(text('', { enum: READING_MODES })),
  speed: optional(text('', { enum: PLAY_SPEEDS })),
});
export type ReaderPreferences = Value<typeof readerPreferences>;

/** What the page has done without waiting for it. A page shows why one failed, and nothing else of them. */
export const transcriptCommands = {
  /** Opens the text editor at an interaction. */
  revealSource: call(atInteraction, returns<void>()),
  /** Opens the text editor at a line, from 1. */
  revealLine: call(shape({ line: count() }), returns<void>()),
  /** Opens the file in the text editor, whether or not it is a tape. */
  openAsText: call(nothing, returns<void>()),
  /** Proposes a layout for a file in no known format. */
  describeFormat: call(nothing, returns<void>()),
  /** Opens a link of the content, after the user has confirmed its target. */
  openLink: call(shape({ url: externalLink }), returns<void>()),
  /** Stores the reader's preferences, for this tape and others. */
  remember: call(readerPreferences, returns<void>()),
  /** Opens the review of what has changed in the tape. */
  review: call(nothing, returns<void>()),
  toggleBreakpoint: call(atInteraction, returns<void>()),
  releaseHeld: holdsCalls.releaseHeld,
  fixDrift,
};

export const transcriptPage = contract({
  calls: {
    /** The page is ready: the state and its growth follow. */
    open: call(nothing, returns<void>()),
    ...transcriptCommands,
    ...tapeQueries,
    ...editingCalls,
  },
  state: shape({
    /** Its beginning; `grew` events bring the rest. The content comes from our own host. */
    transcript: trusted<TranscriptState>(shape({ type: text('', { enum: ['transcript', 'unreadable'] }) })),
    drifts: list(shownDrift),
    holds: shownHolds,
    /** Null when no run plays or records the tape. */
    playing: nullable(runProgress),
    previousTotals: previousTotalsUpdate,
  }),
  events: {
    grew: trusted<TranscriptGrowth>(shape({ version: count(), from: count() })),
    /** Show this interaction. */
    focus: atInteraction,
    /** Open the page's help. */
    help: nothing,
    /** Call `openTranscriptAsText`: the page knows what is being read. */
    text: nothing,
    /** Call `fork`: the page knows the current interaction. */
    fork: nothing,
  },
});
