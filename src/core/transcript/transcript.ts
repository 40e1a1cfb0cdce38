import type { Usage } from '../model/usage';
import type { Severity, Span } from '../text/source';
import type { DescribedChange } from './describeSilentChange';
import type { MessageExtra } from './messageExtras';
import type { TapeTotals } from './metrics';
import type { InteractionSummary } from './summary';
import type { ToolView } from './tools/toolView';

/** A tape as a conversation, in the order in which it happened. Plain data, sent to the webview as it is. */
export interface Transcript {
  readonly name: string;
  readonly formatLabel: string;
  readonly totals: TapeTotals;
  readonly interactions: readonly InteractionSummary[];
  /** One for each interaction, in the same order. */
  readonly bodies: readonly InteractionBody[];
  readonly problems: readonly TranscriptProblem[];
}

/** Everything that an interaction adds to the conversation. */
export interface InteractionBody {
  readonly index: number;
  /** The interaction whose request this one sends again, unchanged. */
  readonly again?: number;
  /** One for each entry of the summary, in the same order. */
  readonly entries: readonly TranscriptEntry[];
  readonly changes: readonly DescribedChange[];
  /** Parameters, tools and headers. */
  readonly details: readonly MessageExtra[];
}

/** One message. Requests that repeat the earlier conversation show only what they add. */
export interface TranscriptEntry {
  readonly interaction: number;
  /** Whether it comes from the recorded response or the request. */
  readonly origin: 'request' | 'response';
  readonly role: string;
  readonly text: string;
  readonly toolCalls: readonly TranscriptToolCall[];
  /** Reasoning, images and other content besides text; absent if there is none. */
  readonly extras?: readonly MessageExtra[];
  readonly model?: string;
  readonly usage?: Usage;
  readonly error?: string;
  /** There is no response on the tape. */
  readonly missing?: true;
  /** The full lengths of the texts that are cut off here, by the names of their parts. */
  readonly cuts?: Readonly<Record<string, number>>;
}

export interface TranscriptToolCall {
  readonly id: string;
  readonly name: string;
  /** Pretty JSON, or the model's own text where it was not JSON. */
  readonly arguments: string;
  /** What the call does, where the tool is a well-known one. */
  readonly view?: ToolView;
  /** The tool's result, where a later request contains it. */
  readonly result?: string;
  /** The tool reported a failure. */
  readonly isError?: boolean;
  /** The MCP server that carried it out, and the interaction in which. */
  readonly server?: string;
  readonly serverInteraction?: number;
}

export interface TranscriptProblem {
  readonly severity: Severity;
  readonly message: string;
  readonly fix?: string;
  readonly line: number;
  readonly span: Span;
}
