import type { Transcript } from '../core/transcript/transcript';
import { isExternalLink } from './externalLink';
import { isIndex, isNothing, isOneOf, isShape } from './guards';
import type { Guard, Guards } from './rpc';

/** The calls that the transcript webview may make. */
export type TranscriptHost = {
  /** The transcript as it is now. After this, `changed` events follow. */
  open(params: undefined): Promise<TranscriptState>;
  /** Opens the text editor at an interaction. */
  revealSource(params: { readonly interaction: number }): Promise<void>;
  /** Opens the text editor at a line, from 1. */
  revealLine(params: { readonly line: number }): Promise<void>;
  /** Opens the file in the text editor, whether or not it is a tape. */
  openAsText(params: undefined): Promise<void>;
  /** The source text of an interaction. */
  raw(params: { readonly interaction: number }): Promise<string>;
  /** Opens a link of the content, after the user has seen where it leads. */
  openLink(params: { readonly url: string }): Promise<void>;
};

/** A tape, or why it cannot be shown as one. */
export type TranscriptState =
  | { readonly type: 'transcript'; readonly transcript: Transcript }
  | { readonly type: 'unreadable'; readonly message: string };

/** The event that carries a new `TranscriptState` to the webview. */
export const TRANSCRIPT_CHANGED = 'changed';
/** The event that asks the webview to show `{ interaction }`. */
export const TRANSCRIPT_FOCUS = 'focus';

/** For the parameter of `TRANSCRIPT_FOCUS`, and of calls about one interaction. */
export const isInteraction = isShape<{ readonly interaction: number }>({ interaction: isIndex });

/** Tells the two states apart; what a state holds comes from our own host and is not looked at again. */
export const isTranscriptState: Guard<TranscriptState> = (value): value is TranscriptState =>
  isShape<Pick<TranscriptState, 'type'>>({ type: isOneOf('transcript', 'unreadable') })(value);

export const transcriptGuards: Guards<TranscriptHost> = {
  open: isNothing,
  revealSource: isInteraction,
  revealLine: isShape<{ readonly line: number }>({ line: isIndex }),
  openAsText: isNothing,
  raw: isInteraction,
  openLink: isShape<{ readonly url: string }>({ url: isExternalLink }),
};
