import type { Transcript } from '../core/transcript/transcript';
import { isIndex, isNothing, isShape, isText } from './guards';
import type { Guards } from './rpc';

/** The calls that the transcript webview may make. */
export type TranscriptHost = {
  /** The transcript as it is now. After this, `changed` events follow. */
  open(params: undefined): TranscriptState;
  /** Opens the text editor at an interaction. */
  revealSource(params: { readonly interaction: number }): Promise<void>;
  /** The source text of an interaction. */
  raw(params: { readonly interaction: number }): string;
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

const isInteraction = isShape<{ readonly interaction: number }>({ interaction: isIndex });

export const transcriptGuards: Guards<TranscriptHost> = {
  open: isNothing,
  revealSource: isInteraction,
  raw: isInteraction,
  openLink: isShape<{ readonly url: string }>({ url: isText }),
};
