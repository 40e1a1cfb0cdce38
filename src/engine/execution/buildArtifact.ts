import { judgeAssertion } from '../../core/cases/toml/assertions';
import type { Json } from '../../core/json/json';
import type { Artifact, AssertionResult, RunMode } from '../../core/model/artifact';
import type { Case } from '../../core/model/case';
import type { ChatRequest, ChatResponse, Message, ToolCall } from '../../core/model/message';
import type { Usage } from '../../core/model/usage';
import type { PriceTable } from '../../core/prices/priceTable';
import type { Recorder } from '../recording/recorder';
import type { AgentRun } from './agentRun';

/** What assertions need besides the run. */
interface JudgedWith {
  /** Hides the secrets of what assertions quote, before they cut it. */
  readonly recorder: Recorder;
  /** The project's own prices. */
  readonly prices?: PriceTable | undefined;
}

/** The artifact of a run, in MoFA's field order. */
export function buildArtifact(
  testCase: Case,
  run: AgentRun,
  plan: { readonly mode: RunMode; readonly tape?: string },
  judgedWith?: JudgedWith,
): Artifact {
  const assertions = judged(testCase, run, judgedWith);
  return {
    case_name: testCase.name,
    status: run.error === null && assertions.every(({ passed }) => passed) ? 'passed' : 'failed',
    output_text: run.outputText,
    runner_error: run.error?.message ?? null,
    duration_ms: Math.round(run.durationMs),
    started_at_ms: run.startedAtMs,
    execution_id: run.executionId,
    session_id: run.sessionId,
    workspace_root: run.workspaceRoot,
    agent: run.agent,
    assertions,
    tool_calls: run.toolCalls,
    llm_request: run.lastRequest && writeArtifactRequest(run.lastRequest),
    llm_response: run.lastResponse && writeArtifactResponse(run.lastResponse),
    session_snapshot: { messages: run.session },
    workspace_before: run.before,
    workspace_after: run.after,
    tapedeck: { mode: plan.mode, tape: plan.tape },
  };
}

function judged({ assertions, llm }: Case, run: AgentRun, judgedWith?: JudgedWith): readonly AssertionResult[] {
  if (assertions.length === 0) return [];
  const steps = hiddenSteps(run, judgedWith?.recorder);
  const asserted = {
    ...run,
    get modelCalls() {
      return steps().modelCalls;
    },
    get toolSteps() {
      return steps().toolSteps;
    },
    prices: judgedWith?.prices,
    model: llm.provider?.model,
  };
  return assertions.map((assertion) => judgeAssertion(assertion, asserted));
}

type Steps = Pick<AgentRun, 'modelCalls' | 'toolSteps'>;

/** The steps of a run without secrets, which are searched for when an assertion first looks at a step. */
function hiddenSteps({ modelCalls, toolSteps }: Steps, recorder: Recorder | undefined): () => Steps {
  let hidden: Steps | undefined;
  return () => {
    const steps = { modelCalls, toolSteps };
    hidden ??= recorder?.value(steps) ?? steps;
    return hidden;
  };
}

/** The request of an artifact. Its settings precede its messages. */
function writeArtifactRequest({ model, params, messages, tools }: ChatRequest): Json {
  return {
    model: model ?? null,
    temperature: params.temperature ?? null,
    max_tokens: params.max_tokens ?? null,
    messages: messages.map(writeArtifactMessage),
    tool_names: tools.map(({ name }) => name),
  };
}

function writeArtifactResponse({ content, toolCalls, usage }: ChatResponse): Json {
  return {
    content,
    tool_calls: toolCalls.map(writeArtifactToolCall),
    usage: usage === undefined ? null : writeArtifactUsage(usage),
  };
}

/** A message, as an artifact has it. */
export function writeArtifactMessage({ role, content, toolCallId, toolCalls }: Message): Json {
  return { role, content, tool_call_id: toolCallId ?? null, tool_calls: toolCalls.map(writeArtifactToolCall) };
}

function writeArtifactToolCall({ id, name, arguments: args }: ToolCall): Json {
  return { id, name, arguments: args };
}

function writeArtifactUsage({ promptTokens, completionTokens, totalTokens }: Usage): Json {
  return { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: totalTokens };
}
