import type { FormatId, TapeFamily } from '../../core/model/tape';
import type { TapeTotals } from '../../core/transcript/metrics';
import type { PlaybackStep } from '../../core/transcript/playback';
import type { TranscriptMatches } from '../../core/transcript/searchTranscript';
import type { InteractionSummary } from '../../core/transcript/summary';
import type { InteractionBody, TranscriptProblem } from '../../core/transcript/transcript';
import { isExternalLink, isIndex, isListOf, isMaybe, isNothing, isOneOf, isShape, isText } from '../rpc/guards';
import type { Guard, Guards } from '../rpc/rpc';
import { type EditingApi, editingGuards } from './transcriptEditing';
import { type DriftApi, driftGuards } from './transcriptEvents';
import { type HoldApi, holdGuards } from './transcriptHolds';

/** The calls that the transcript webview may make. */
export type TranscriptHost = PageApi & TapeQueries & EditingApi & DriftApi & HoldApi;

/** The queries of a tape: from the page to the host, and from the host to the thread that reads a large tape. */
export type TapeQueries = {
  /** Whole interactions, of those already announced. Very long texts are cut after their beginning. */
  bodies(params: { readonly interactions: readonly number[] }): Promise<readonly InteractionBody[]>;
  /** The next part of a text that was cut. */
  more(params: TextPlace): Promise<string>;
  /** Searches from an interaction on, for a limited time; `next` of the result is where to continue. */
  search(params: TranscriptQuery): Promise<TranscriptMatches>;
  /** The timed pieces of a streamed response; empty if no timing was recorded. */
  playback(params: { readonly interaction: number }): Promise<readonly PlaybackStep[]>;
  /** The source text of an interaction, up to the length that is shown at once. */
  source(params: { readonly interaction: number }): Promise<string>;
  /** Why this tape is read-only, as a sentence; null if it can be edited. */
  readOnlyReason(params: undefined): Promise<string | null>;
};

type PageApi = {
  /** The beginning of the current transcript. `grew` and `changed` events follow. */
  open(params: undefined): Promise<TranscriptState>;
  /** Opens the text editor at an interaction. */
  revealSource(params: { readonly interaction: number }): Promise<void>;
  /** Opens the text editor at a line, from 1. */
  revealLine(params: { readonly line: number }): Promise<void>;
  /** Opens the file in the text editor, whether or not it is a tape. */
  openAsText(params: undefined): Promise<void>;
  /** Opens a link of the content, after the user has confirmed its target. */
  openLink(params: { readonly url: string }): Promise<void>;
  /** Stores the reader's preferences, for this tape and others. */
  remember(params: ReaderPreferences): Promise<void>;
};

export const READING_MODES = ['summary', 'normal', 'verbose'] as const;
export type ReadingMode = (typeof READING_MODES)[number];

/** Factors of the recorded speed at which a streamed response is played; `max`: without pauses. */
export const PLAY_SPEEDS = ['0.5', '1', '2', '5', 'max'] as const;
export type PlaySpeed = (typeof PLAY_SPEEDS)[number];

export interface ReaderPreferences {
  /** The level of detail. */
  readonly mode?: ReadingMode;
  readonly speed?: PlaySpeed;
}

/** A place in a text of an entry; parts are named as in `searchParts`. */
export interface TextPlace {
  readonly interaction: number;
  /** From 0, among the entries of the interaction. */
  readonly entry: number;
  readonly part: string;
  /** In UTF-16 units. */
  readonly start: number;
}

export interface TranscriptQuery {
  readonly query: string;
  readonly from: number;
}

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
  | { readonly type: 'unreadable'; readonly message: string };

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

/** The event that carries a new `TranscriptState` to the webview. */
export const TRANSCRIPT_CHANGED = 'changed';
/** The event that carries a `TranscriptGrowth`. */
export const TRANSCRIPT_GROWN = 'grew';
/** The event that makes the webview show `{ interaction }`. */
export const TRANSCRIPT_FOCUS = 'focus';

/** For the parameter of `TRANSCRIPT_FOCUS`, and of calls about one interaction. */
export const isInteraction = isShape<{ readonly interaction: number }>({ interaction: isIndex });

/** Checks only which state it is: the content comes from our own host. */
export const isTranscriptState: Guard<TranscriptState> = (value): value is TranscriptState =>
  isShape<Pick<TranscriptState, 'type'>>({ type: isOneOf('transcript', 'unreadable') })(value);

export const isTranscriptGrowth: Guard<TranscriptGrowth> = (value): value is TranscriptGrowth =>
  isShape<Pick<TranscriptGrowth, 'version' | 'from'>>({ version: isIndex, from: isIndex })(value);

export const tapeQueriesGuards: Guards<TapeQueries> = {
  bodies: isShape<{ readonly interactions: readonly number[] }>({ interactions: isListOf(isIndex) }),
  more: isShape<TextPlace>({ interaction: isIndex, entry: isIndex, part: isText, start: isIndex }),
  search: isShape<TranscriptQuery>({ query: isText, from: isIndex }),
  playback: isInteraction,
  source: isInteraction,
  readOnlyReason: isNothing,
};

export const transcriptGuards: Guards<TranscriptHost> = {
  open: isNothing,
  revealSource: isInteraction,
  revealLine: isShape<{ readonly line: number }>({ line: isIndex }),
  openAsText: isNothing,
  openLink: isShape<{ readonly url: string }>({ url: isExternalLink }),
  remember: isShape<ReaderPreferences>({
    mode: isMaybe(isOneOf(...READING_MODES)),
    speed: isMaybe(isOneOf(...PLAY_SPEEDS)),
  }),
  ...tapeQueriesGuards,
  ...editingGuards,
  ...driftGuards,
  ...holdGuards,
};
