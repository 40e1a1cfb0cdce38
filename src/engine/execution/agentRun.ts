import { randomUUID } from 'node:crypto';
import type { TurnResult } from '../../core/cases/mofa/agentScenario';
import type { ModelCall, ToolStep } from '../../core/cases/toml/trajectory';
import type { ToolCallRecord, WorkspaceSnapshot } from '../../core/model/artifact';
import type { Case } from '../../core/model/case';
import type { ChatRequest, ChatResponse } from '../../core/model/message';
import type { AgentError, ProviderError } from '../errors/runErrors';
import { DEFAULT_AGENT_NAME, type SessionMessage } from './agentConversation';
import type { WorkspaceOutcome } from './workspace';

type RunMetadata = Pick<
  AgentRun,
  'error' | 'workspaceRoot' | 'before' | 'after' | 'executionId' | 'sessionId' | 'agent' | 'startedAtMs'
>;

/** The part of a run that does not depend on the agent, when its workspace has been removed. */
export function runMetadata(
  { agent }: Case,
  { error, root, before, after }: WorkspaceOutcome,
  startedAtMs: number,
): RunMetadata {
  return {
    error,
    workspaceRoot: root,
    before,
    after,
    executionId: randomUUID(),
    sessionId: randomUUID(),
    agent: { id: randomUUID(), name: agent.name ?? DEFAULT_AGENT_NAME },
    startedAtMs,
  };
}

/** The outcome of one run of an agent. */
export interface AgentRun {
  /** The final response; null when the run ended in an error. */
  readonly outputText: string | null;
  readonly error: ProviderError | AgentError | null;
  /** As MoFA lists them: grouped by tool, in the order in which the case declares the tools. */
  readonly toolCalls: readonly ToolCallRecord[];
  /** Tool names in the order of the calls. */
  readonly toolCallOrder: readonly string[];
  readonly lastRequest: ChatRequest | null;
  readonly lastResponse: ChatResponse | null;
  readonly session: readonly SessionMessage[];
  /** Where the workspace was; it is removed when the run ends. Empty when none could be created. */
  readonly workspaceRoot: string;
  readonly before: WorkspaceSnapshot;
  readonly after: WorkspaceSnapshot;
  readonly executionId: string;
  readonly sessionId: string;
  readonly agent: { readonly id: string; readonly name: string };
  /** Milliseconds since the epoch. */
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** How many responses the model sent. */
  readonly interactions: number;
  /** The calls of the model, with its tool calls and what became of them. */
  readonly modelCalls: readonly ModelCall[];
  readonly toolSteps: readonly ToolStep[];
  /** The completed turns of the conversation. */
  readonly turns?: readonly TurnResult[];
}
