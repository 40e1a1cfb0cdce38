import type { Usage } from '../model/usage';
import type { Severity, Span } from '../text/source';
import type { DescribedChange } from './describeSilentChange';
import type { MessageExtra } from './messageExtras';
import type { TapeTotals } from './metrics';
import type { InteractionSummary } from './summary';

/** A tape as a conversation: what a reader sees, in the order it happened. Plain data, sent to the webview as it is. */
export interface Transcript {
  readonly name: string;
  readonly formatLabel: string;
  readonly totals: TapeTotals;
  readonly interactions: readonly InteractionSummary[];
  /** As many as interactions, in the same order. */
  readonly bodies: readonly InteractionBody[];
  readonly problems: readonly TranscriptProblem[];
}

/** What an interaction adds to the conversation, in full. */
export interface InteractionBody {
  readonly index: number;
  /** As many as the summary has, in the same order. */
  readonly entries: readonly TranscriptEntry[];
  readonly changes: readonly DescribedChange[];
  /** Parameters, tools, headers: what is asked with the messages. */
  readonly details: readonly MessageExtra[];
}

/** One message. Requests that repeat the earlier conversation show only what they add. */
export interface TranscriptEntry {
  readonly interaction: number;
  /** From the recorded response, or from the request that led to it. */
  readonly origin: 'request' | 'response';
  readonly role: string;
  readonly text: string;
  readonly toolCalls: readonly TranscriptToolCall[];
  /** Reasoning, images and whatever else is not text; absent where there is none. */
  readonly asides?: readonly MessageExtra[];
  readonly model?: string;
  readonly usage?: Usage;
  readonly error?: string;
  /** There is no answer on the tape. */
  readonly missing?: true;
  /** The texts of which this is only the beginning, by the names of their parts: how long they are. */
  readonly cuts?: Readonly<Record<string, number>>;
}

export interface TranscriptToolCall {
  readonly id: string;
  readonly name: string;
  /** Pretty JSON, or the model's own text where it was not JSON. */
  readonly arguments: string;
  /** What the tool answered, where a later request carries it. */
  readonly result?: string;
  /** The tool said that it failed. */
  readonly isError?: boolean;
}

export interface TranscriptProblem {
  readonly severity: Severity;
  readonly message: string;
  readonly fix?: string;
  readonly line: number;
  readonly span: Span;
}
