import { randomUUID } from 'node:crypto';
import { compactJson, isRecord, type Json } from '../../core/json/json';
import { copyWrittenNumber, writtenNumber } from '../../core/json/writtenNumbers';
import type { ToolCallRecord, WorkspaceSnapshot } from '../../core/model/artifact';
import type { ChatRequest, ChatResponse, Message, ToolCall } from '../../core/model/message';
import { type DslRun, sessionOf } from '../../core/testDsl/dslArtifact';
import { toolDefinitions } from '../../core/testDsl/dslCase';
import type { DslDocument } from '../../core/testDsl/dslDocument';
import { mofaSystemPrompt } from '../../core/testDsl/systemPrompt';
import { AgentError, ProviderError } from '../errors/runErrors';
import { snapshot } from '../execution/workspace';
import type { TemporaryFolder } from '../files/temporaryFolder';
import type { ChatProvider } from '../providers/chatProvider';

/** MoFA's limit, and what its agent says there instead of failing. */
const MAX_ITERATIONS = 10;
const AT_THE_LIMIT = "I've completed processing but hit the maximum iteration limit.";

/** The result of MoFA's mock tools when the case has none. */
const DEFAULT_RESULT = 'Mock execution default';

/** An error of a run, which is a part of its result. */
export type RunError = AgentError | ProviderError;

/** A run, and why it failed. */
export interface DslResult {
  readonly run: DslRun;
  readonly error: RunError | undefined;
}

/** Runs a case with MoFA's agent, rule by rule, in a workspace that has the files of the case. */
export async function runDslAgent(
  document: DslDocument,
  prompt: string,
  provider: ChatProvider,
  workspace: TemporaryFolder,
  signal: AbortSignal,
): Promise<DslResult> {
  const startedAtMs = Date.now();
  const sessionId = randomUUID();
  const before = await snapshot(workspace);
  const started = performance.now();
  const loop = new DslLoop(document, prompt, provider, workspace.root);
  let error: RunError | undefined;
  try {
    loop.outputText = await loop.run(signal);
    await saveSession(workspace, sessionId, prompt, loop.outputText);
  } catch (thrown) {
    if (!(thrown instanceof AgentError || thrown instanceof ProviderError)) throw thrown;
    error = thrown;
  }
  const durationMs = Math.round(performance.now() - started);
  const times = { startedAtMs, durationMs, before, after: await snapshot(workspace) };
  return { run: resultOf(loop, { ...times, sessionId, workspaceRoot: workspace.root }, error), error };
}

interface RunMetadata {
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly before: WorkspaceSnapshot;
  readonly after: WorkspaceSnapshot;
  readonly sessionId: string;
  readonly workspaceRoot: string;
}

function resultOf(loop: DslLoop, metadata: RunMetadata, error: RunError | undefined): DslRun {
  return {
    ...metadata,
    outputText: error === undefined ? loop.outputText : null,
    error: error?.message ?? null,
    executionId: randomUUID(),
    agentId: randomUUID(),
    toolCalls: loop.toolCalls,
    lastRequest: loop.lastRequest,
    lastResponse: loop.lastResponse,
  };
}

/** The file in which MoFA's agent keeps a session. */
async function saveSession(workspace: TemporaryFolder, id: string, prompt: string, output: string): Promise<void> {
  const now = new Date().toISOString();
  const header = { key: id, created_at: now, updated_at: now, metadata: {} };
  const messages = sessionOf(prompt, output).map((message) => ({ ...message, timestamp: now }));
  const lines = [header, ...messages].map((line) => JSON.stringify(line));
  await workspace.write(`sessions/${id}.jsonl`, lines.join('\n'));
}

type MockTool = DslDocument['tools'][number];

class DslLoop {
  outputText: string | null = null;
  lastRequest: ChatRequest | undefined;
  lastResponse: ChatResponse | undefined;
  readonly #messages: Message[];
  readonly #tools: ChatRequest['tools'];
  readonly #mocks: ReadonlyMap<string, MockTool>;
  readonly #provider: ChatProvider;
  readonly #records: ToolCallRecord[] = [];

  constructor(document: DslDocument, prompt: string, provider: ChatProvider, workspace: string) {
    const system = mofaSystemPrompt(document, workspace, new Date());
    this.#messages = [
      { role: 'system', content: system, toolCalls: [] },
      { role: 'user', content: prompt, toolCalls: [] },
    ];
    this.#tools = toolDefinitions(document);
    this.#mocks = new Map(document.tools.map((tool) => [tool.name, tool]));
    this.#provider = provider;
  }

  /** The calls by tool, in the order in which the case declares these. */
  get toolCalls(): readonly ToolCallRecord[] {
    return [...this.#mocks.keys()].flatMap((name) => this.#records.filter(({ tool_name }) => tool_name === name));
  }

  /** Requests responses until one calls no tool. Rejects with a `RunError`, or the signal's reason. */
  async run(signal: AbortSignal): Promise<string> {
    for (let iteration = 0; iteration < MAX_ITERATIONS; iteration += 1) {
      this.lastRequest = { messages: [...this.#messages], tools: this.#tools, params: {} };
      const response = await this.#provider.chat(this.lastRequest, signal);
      signal.throwIfAborted();
      this.lastResponse = response;
      if (response.toolCalls.length === 0) return response.content ?? '';
      this.#messages.push({ role: 'assistant', content: response.content, toolCalls: response.toolCalls });
      for (const call of response.toolCalls) this.#call(call);
    }
    return AT_THE_LIMIT;
  }

  #call({ id, name, arguments: input }: ToolCall): void {
    if (!isRecord(input))
      throw runError(`Invalid tool arguments for ${name}: ${debugText(input)}`, 'Arguments are a JSON object.');
    const tool = this.#mocks.get(name);
    if (tool === undefined) throw runError(`Tool not found: ${name}`, `Add \`${name}\` to [[tools]] of the case.`);
    const output = tool.result === undefined ? DEFAULT_RESULT : tool.result;
    const record = { tool_name: name, input, output, success: true, duration_ms: 0, timed_out: false };
    copyWrittenNumber(tool, 'result', record, 'output');
    this.#records.push(record);
    const content = typeof output === 'string' ? output : (writtenNumber(tool, 'result') ?? compactJson(output));
    this.#messages.push({ role: 'tool', content, toolCalls: [], toolCallId: id });
  }
}

function runError(reason: string, fix: string): AgentError {
  return new AgentError('agent', `Agent execution failed: ${reason}`, fix);
}

/** A value as Rust's `{:?}` prints it, which MoFA's error quotes. */
function debugText(value: Json): string {
  if (value === null) return 'Null';
  if (typeof value === 'string') return `String(${JSON.stringify(value)})`;
  if (typeof value === 'boolean') return `Bool(${value})`;
  if (Array.isArray(value)) return `Array [${value.map(debugText).join(', ')}]`;
  return `Number(${compactJson(value)})`;
}
