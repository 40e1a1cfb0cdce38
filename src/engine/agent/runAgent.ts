import type { Case } from '../../core/cases/case';
import type { ToolCallRecord, WorkspaceSnapshot } from '../../core/runs/artifact';
import type { ChatRequest, ChatResponse } from '../../core/tapes/tape';
import type { ChatProvider, ProviderError } from '../providers/chatProvider';
import type { AgentError } from './agentError';

/** What one run of the built-in agent left behind. */
export interface AgentRun {
  /** The final answer; null when the run ended in an error. */
  readonly outputText: string | null;
  readonly error: ProviderError | AgentError | null;
  /** As MoFA lists them: grouped by tool, in the order in which the case declares the tools. */
  readonly toolCalls: readonly ToolCallRecord[];
  /** Tool names in the order of the calls. */
  readonly toolCallOrder: readonly string[];
  readonly lastRequest: ChatRequest | null;
  readonly lastResponse: ChatResponse | null;
  readonly session: readonly SessionMessage[];
  /** Where the workspace was; it is removed when the run ends. */
  readonly workspaceRoot: string;
  readonly before: WorkspaceSnapshot;
  readonly after: WorkspaceSnapshot;
  readonly executionId: string;
  readonly sessionId: string;
  readonly agent: { readonly id: string; readonly name: string };
  /** Milliseconds since the epoch. */
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** How many answers the model gave. */
  readonly interactions: number;
}

export interface SessionMessage {
  readonly role: string;
  readonly content: string;
}

export interface RunAgentOptions {
  readonly signal: AbortSignal;
  /** Called after each answer of the model; `index` counts from 0, `summary` is one short line. */
  onInteraction?(index: number, summary: string): void;
}

/**
 * Runs the case with the built-in agent in a temporary workspace. What goes wrong is in `error`; the promise rejects
 * only with the signal's reason, or for a bug.
 */
export async function runAgent(testCase: Case, provider: ChatProvider, options: RunAgentOptions): Promise<AgentRun> {
  throw new Error(`not there yet: ${testCase.name} ${provider.label} ${options.signal.aborted}`);
}
