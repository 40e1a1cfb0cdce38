import { type ModelCall, toolSteps } from '../../../core/cases/toml/trajectory';
import type { ToolCallRecord } from '../../../core/model/artifact';
import type { Case } from '../../../core/model/case';
import type { HttpExchange } from '../../../core/model/http';
import type { ProtocolId } from '../../../core/model/interaction';
import type { ChatRequest, ChatResponse, ToolCall } from '../../../core/model/message';
import type { ProcessExit } from '../../process/runProcess';
import type { OpenProxy } from '../../proxy/openProxy';
import { loadTape } from '../../recording/readTape';
import type { Recorder } from '../../recording/recorder';
import type { SessionMessage } from '../agentConversation';
import type { AgentRun } from '../agentRun';
import { runMetadata } from '../agentRun';
import type { WorkspaceOutcome } from '../workspace';

interface ExternalRunOptions {
  readonly testCase: Case;
  readonly workspace: WorkspaceOutcome;
  /** Absent when the agent could not be started. */
  readonly exit: ProcessExit | undefined;
  readonly proxy: OpenProxy;
  readonly tapePath: string;
  /** Whether what is recorded becomes the tape. */
  readonly saves: boolean;
  readonly startedAtMs: number;
  readonly recorder: Recorder;
}

interface Turn {
  /** Of a call that an MCP server answers, which is none of the model's. */
  readonly mcp?: unknown;
  readonly request?: ChatRequest | undefined;
  readonly response?: ChatResponse | undefined;
  readonly api?: ProtocolId | undefined;
  readonly http?: Pick<HttpExchange, 'url'> | undefined;
}

interface NumberedTurn {
  readonly number: number;
  /** On the tape, from 0; absent if it is not, or not yet, in a known place. */
  readonly index?: number;
  readonly turn: Turn;
}

/** The outcome of a run of the user's own agent: its output, and its model calls as its traffic shows them. */
export async function externalRun(options: ExternalRunOptions): Promise<AgentRun> {
  const { testCase, workspace, exit, startedAtMs, recorder } = options;
  const turns = await turnsOf(options);
  const last = turns.at(-1);
  const calls = turns.flatMap(({ response }) => response.toolCalls);
  return {
    outputText: workspace.error === null && exit !== undefined ? recorder.text(exit.stdout.trimEnd()) : null,
    ...runMetadata(testCase, workspace, startedAtMs),
    toolCalls: calls.map((call) => toolCall(call, turns)),
    toolCallOrder: calls.map(({ name }) => name),
    lastRequest: last?.request ?? null,
    lastResponse: last?.response ?? null,
    session: last === undefined ? [] : sessionOf(last),
    durationMs: exit?.durationMs ?? 0,
    interactions: turns.length,
    modelCalls: turns,
    toolSteps: toolSteps(turns),
  };
}

/** The model calls in the order in which the agent made them, from the tape or as they were recorded. */
async function turnsOf({ proxy, tapePath, saves }: ExternalRunOptions): Promise<readonly ModelCall[]> {
  const served = proxy.tally.reports.filter(({ index }) => index !== undefined);
  const live = proxy.recordedByNumber.map(([number, turn]): NumberedTurn => ({ number, turn }));
  // A new tape has them in this order.
  if (served.length === 0) return live.flatMap((one, index) => modelCall(saves ? { ...one, index } : one));
  const { tape } = await loadTape(tapePath);
  const onTape = served.flatMap(({ number, index = 0 }): readonly NumberedTurn[] => {
    const turn = tape.interactions[index];
    return turn === undefined ? [] : [{ number, index, turn }];
  });
  return [...onTape, ...live].sort((left, right) => left.number - right.number).flatMap(modelCall);
}

function modelCall({ turn: { request, response, http, mcp, api }, ...place }: NumberedTurn): readonly ModelCall[] {
  if (request === undefined || response === undefined || mcp !== undefined) return [];
  return [{ request, response, api, http, ...place }];
}

/** A tool call with its result, which is in the request after it. */
function toolCall({ id, name, arguments: input }: ToolCall, turns: readonly ModelCall[]): ToolCallRecord {
  const messages = turns.flatMap(({ request }) => request.messages);
  const result = messages.find(({ toolCallId }) => toolCallId === id);
  return {
    tool_name: name,
    input,
    output: result?.content ?? null,
    success: result?.isError !== true,
    duration_ms: null,
    timed_out: false,
  };
}

function sessionOf({ request, response }: ModelCall): readonly SessionMessage[] {
  const sent = request.messages.map(({ role, content }) => ({ role, content: content ?? '' }));
  return [...sent, { role: 'assistant', content: response.content ?? '' }];
}
