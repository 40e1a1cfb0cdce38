import type { Json } from '../json/json';
import type { Artifact, AssertionResult, ToolCallRecord, WorkspaceSnapshot } from '../model/artifact';
import type { ChatRequest, ChatResponse, Message, ToolCall } from '../model/message';
import type { DslDocument } from './dslDocument';

/** A run by the rules of MoFA's agent. */
export interface DslRun {
  /** Null if the run failed. */
  readonly outputText: string | null;
  /** Why the run failed, in MoFA's words. */
  readonly error: string | null;
  readonly durationMs: number;
  readonly startedAtMs: number;
  readonly executionId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceRoot: string;
  /** By tool, in the order in which the case declares them. */
  readonly toolCalls: readonly ToolCallRecord[];
  readonly lastRequest: ChatRequest | undefined;
  readonly lastResponse: ChatResponse | undefined;
  readonly before: WorkspaceSnapshot;
  readonly after: WorkspaceSnapshot;
}

/** The name that MoFA's agent gives itself, whatever the case calls it. */
const AGENT_NAME = 'LLMExecutor';

/** The artifact of a run, field by field as MoFA writes it. */
export function dslArtifact(document: DslDocument, prompt: string, run: DslRun): Artifact {
  const assertions = judge(document, run);
  const { outputText, lastRequest, lastResponse } = run;
  return {
    case_name: document.name,
    status: run.error === null && assertions.every(({ passed }) => passed) ? 'passed' : 'failed',
    output_text: outputText,
    runner_error: run.error,
    duration_ms: run.durationMs,
    started_at_ms: run.startedAtMs,
    execution_id: run.executionId,
    session_id: run.sessionId,
    workspace_root: run.workspaceRoot,
    agent: { id: run.agentId, name: AGENT_NAME },
    assertions,
    tool_calls: run.toolCalls,
    llm_request: lastRequest === undefined ? null : requestJson(lastRequest),
    llm_response: lastResponse === undefined ? null : responseJson(lastResponse),
    // The session is saved at the end of a run, with the prompt and the final response only.
    session_snapshot: outputText === null ? null : { messages: sessionOf(prompt, outputText) },
    workspace_before: run.before,
    workspace_after: run.after,
  };
}

/** The messages of a session that MoFA's agent saves. */
export function sessionOf(prompt: string, outputText: string) {
  return [
    { role: 'user', content: prompt },
    { role: 'assistant', content: outputText },
  ];
}

function judge(document: DslDocument, { outputText, toolCalls }: DslRun): readonly AssertionResult[] {
  const contained = document.assert?.contains ?? document.expected_text;
  const called = document.assert?.tool_called ?? null;
  const names = toolCalls.map(({ tool_name }) => tool_name);
  return [
    ...(contained === null
      ? []
      : [
          {
            kind: 'contains',
            expected: contained,
            actual: outputText,
            passed: outputText?.includes(contained) ?? false,
          },
        ]),
    ...(called === null
      ? []
      : [{ kind: 'tool_called', expected: called, actual: names, passed: names.includes(called) }]),
  ];
}

function requestJson({ messages, tools }: ChatRequest): Json {
  return {
    model: null,
    temperature: null,
    max_tokens: null,
    messages: messages.map(messageJson),
    tool_names: tools.map(({ name }) => name),
  };
}

function responseJson({ content, toolCalls, usage }: ChatResponse): Json {
  return {
    content,
    tool_calls: toolCalls.map(callJson),
    usage: usage
      ? {
          prompt_tokens: usage.promptTokens,
          completion_tokens: usage.completionTokens,
          total_tokens: usage.totalTokens,
        }
      : null,
  };
}

function messageJson({ role, content, toolCallId, toolCalls }: Message): Json {
  return { role, content, tool_call_id: toolCallId ?? null, tool_calls: toolCalls.map(callJson) };
}

function callJson({ id, name, arguments: args }: ToolCall): Json {
  return { id, name, arguments: args };
}
