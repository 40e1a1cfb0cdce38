import type { FormatId, TapeFamily } from '../core/model/tape';
import type { TapeTotals } from '../core/transcript/metrics';
import type { PlaybackStep } from '../core/transcript/playback';
import type { TranscriptMatches } from '../core/transcript/searchTranscript';
import type { InteractionSummary } from '../core/transcript/summary';
import type { InteractionBody, TranscriptProblem } from '../core/transcript/transcript';
import { isExternalLink, isIndex, isListOf, isMaybe, isNothing, isOneOf, isShape, isText } from './guards';
import type { Guard, Guards } from './rpc';
import { type EditingApi, editingGuards } from './transcriptEditing';
import { type DriftApi, driftGuards } from './transcriptEvents';

/** The calls that the transcript webview may make. */
export type TranscriptHost = ReadingApi & EditingApi & DriftApi;

type ReadingApi = {
  /** The beginning of the transcript as it is now. After this, `grew` and `changed` events follow. */
  open(params: undefined): Promise<TranscriptState>;
  /** Interactions in full, those that have been announced. Texts that are very long come with their beginning. */
  bodies(params: { readonly interactions: readonly number[] }): Promise<readonly InteractionBody[]>;
  /** More of a text that came with its beginning. */
  more(params: TextPlace): Promise<string>;
  /** Searches from an interaction on, for a while; `next` in the answer says where to go on. */
  search(params: TranscriptQuery): Promise<TranscriptMatches>;
  /** How a streamed answer came; empty where that was not recorded. */
  playback(params: { readonly interaction: number }): Promise<readonly PlaybackStep[]>;
  /** Opens the text editor at an interaction. */
  revealSource(params: { readonly interaction: number }): Promise<void>;
  /** Opens the text editor at a line, from 1. */
  revealLine(params: { readonly line: number }): Promise<void>;
  /** Opens the file in the text editor, whether or not it is a tape. */
  openAsText(params: undefined): Promise<void>;
  /** The source text of an interaction, or as much of it as is shown at once. */
  raw(params: { readonly interaction: number }): Promise<string>;
  /** Opens a link of the content, after the user has seen where it leads. */
  openLink(params: { readonly url: string }): Promise<void>;
  /** What the reader has chosen, for this tape and for the next. */
  remember(params: ReaderPreferences): Promise<void>;
};

export const READING_MODES = ['summary', 'normal', 'verbose'] as const;
export type ReadingMode = (typeof READING_MODES)[number];

/** How many times as fast as it came a streamed answer is played; `max`: without its pauses. */
export const PLAY_SPEEDS = ['0.5', '1', '2', '5', 'max'] as const;
export type PlaySpeed = (typeof PLAY_SPEEDS)[number];

export interface ReaderPreferences {
  /** How much of a tape is shown. */
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

/** What is known of a tape before its messages are asked for. */
export interface TranscriptOverview {
  /** Another number for each content of the document. */
  readonly version: number;
  readonly name: string;
  readonly format: FormatId;
  readonly formatLabel: string;
  readonly family: TapeFamily;
  /** How many interactions the tape has. */
  readonly length: number;
  /** Those that have been read so far, from the first on. */
  readonly interactions: readonly InteractionSummary[];
  readonly totals: TapeTotals;
  /** Known when all has been read. */
  readonly problems: readonly TranscriptProblem[];
}

/** A tape, or why it cannot be shown as one. */
export type TranscriptState =
  | { readonly type: 'transcript'; readonly transcript: TranscriptOverview }
  | { readonly type: 'unreadable'; readonly message: string };

/** More of a tape has been read. */
export interface TranscriptGrowth {
  readonly version: number;
  /** The place of the first of them; those before it have been announced. */
  readonly from: number;
  readonly interactions: readonly InteractionSummary[];
  /** Announced before; a tool call of theirs has its result now. */
  readonly joined: readonly number[];
  readonly totals: TapeTotals;
  readonly problems: readonly TranscriptProblem[];
}

/** The event that carries a new `TranscriptState` to the webview. */
export const TRANSCRIPT_CHANGED = 'changed';
/** The event that carries a `TranscriptGrowth`. */
export const TRANSCRIPT_GROWN = 'grew';
/** The event that asks the webview to show `{ interaction }`. */
export const TRANSCRIPT_FOCUS = 'focus';

/** For the parameter of `TRANSCRIPT_FOCUS`, and of calls about one interaction. */
export const isInteraction = isShape<{ readonly interaction: number }>({ interaction: isIndex });

/** Tells the two states apart; what a state holds comes from our own host and is not looked at again. */
export const isTranscriptState: Guard<TranscriptState> = (value): value is TranscriptState =>
  isShape<Pick<TranscriptState, 'type'>>({ type: isOneOf('transcript', 'unreadable') })(value);

export const isTranscriptGrowth: Guard<TranscriptGrowth> = (value): value is TranscriptGrowth =>
  isShape<Pick<TranscriptGrowth, 'version' | 'from'>>({ version: isIndex, from: isIndex })(value);

export const transcriptGuards: Guards<TranscriptHost> = {
  open: isNothing,
  bodies: isShape<{ readonly interactions: readonly number[] }>({ interactions: isListOf(isIndex) }),
  more: isShape<TextPlace>({ interaction: isIndex, entry: isIndex, part: isText, start: isIndex }),
  search: isShape<TranscriptQuery>({ query: isText, from: isIndex }),
  playback: isInteraction,
  revealSource: isInteraction,
  revealLine: isShape<{ readonly line: number }>({ line: isIndex }),
  openAsText: isNothing,
  raw: isInteraction,
  openLink: isShape<{ readonly url: string }>({ url: isExternalLink }),
  remember: isShape<ReaderPreferences>({
    mode: isMaybe(isOneOf(...READING_MODES)),
    speed: isMaybe(isOneOf(...PLAY_SPEEDS)),
  }),
  ...editingGuards,
  ...driftGuards,
};
