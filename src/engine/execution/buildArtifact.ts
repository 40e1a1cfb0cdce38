import { judgeAssertion } from '../../core/cases/toml/assertions';
import type { Json } from '../../core/json/json';
import type { Artifact, RunMode } from '../../core/model/artifact';
import type { Case } from '../../core/model/case';
import type { ChatRequest, ChatResponse } from '../../core/model/message';
import { writeMofaMessage, writeMofaToolCall, writeMofaUsage } from '../../core/tapes/formats/mofa/write';
import type { AgentRun } from './agentRun';

/** The artifact of a run, in MoFA's field order. */
export function buildArtifact(
  testCase: Case,
  run: AgentRun,
  plan: { readonly mode: RunMode; readonly tape?: string },
): Artifact {
  const assertions = testCase.assertions.map((assertion) => judgeAssertion(assertion, run));
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
    llm_request: run.lastRequest && requestJson(run.lastRequest),
    llm_response: run.lastResponse && responseJson(run.lastResponse),
    session_snapshot: { messages: run.session },
    workspace_before: run.before,
    workspace_after: run.after,
    tapedeck: { mode: plan.mode, ...(plan.tape === undefined ? {} : { tape: plan.tape }) },
  };
}

/** An artifact has the settings of a request before its messages; a tape has them after. */
function requestJson({ model, params, messages, tools }: ChatRequest): Json {
  return {
    model: model ?? null,
    temperature: params.temperature ?? null,
    max_tokens: params.max_tokens ?? null,
    messages: messages.map(writeMofaMessage),
    tool_names: tools.map(({ name }) => name),
  };
}

function responseJson({ content, toolCalls, usage }: ChatResponse): Json {
  return {
    content,
    tool_calls: toolCalls.map(writeMofaToolCall),
    usage: usage === undefined ? null : writeMofaUsage(usage),
  };
}
