import type { TurnResult } from '../../core/cases/mofa/agentScenario';
import { type ModelCall, toolSteps } from '../../core/cases/toml/trajectory';
import type { Case } from '../../core/model/case';
import type { ChatRequest, ChatResponse } from '../../core/model/message';
import { counted } from '../../core/text/counts';
import { t } from '../../core/text/l10n';
import { AgentError } from '../errors/runErrors';
import { inTheirLanguage } from '../language';
import type { ChatProvider } from '../providers/chatProvider';
import type { Recorder } from '../recording/recorder';
import { AgentConversation } from './agentConversation';
import { type AgentRun, runMetadata } from './agentRun';
import { mockTools, ToolBox, type ToolRunner } from './tools';
import { withoutWorkspace, withWorkspace } from './workspace';

export interface RunAgentOptions {
  readonly signal: AbortSignal;
  readonly recorder: Recorder;
  /** Called after each response of the model; `index` counts from 0, `summary` is one short line. */
  onInteraction?(index: number, summary: string): void;
  /** The implementation of the tools; by default they return the results in the case. */
  readonly tools?: ToolRunner;
}

/**
 * Runs the case with the built-in agent, in a temporary workspace if it has files. A failure is in `error`; the promise rejects only with
 * the signal's reason, or for a bug.
 */
export async function runAgent(testCase: Case, provider: ChatProvider, options: RunAgentOptions): Promise<AgentRun> {
  options.signal.throwIfAborted();
  const startedAtMs = Date.now();
  const started = performance.now();
  const loop = new AgentLoop(testCase, provider, options);
  const work = (): Promise<void> => loop.run();
  // The agent has no tools for files: a folder without any would only be made and removed.
  const hasFiles = testCase.bootstrapFiles.length > 0;
  const workspace = hasFiles ? await withWorkspace(testCase, work) : await withoutWorkspace(work);
  return {
    outputText: loop.outputText,
    ...runMetadata(testCase, workspace, startedAtMs),
    toolCalls: loop.tools.grouped,
    toolCallOrder: loop.tools.records.map(({ tool_name }) => tool_name),
    lastRequest: loop.lastRequest,
    lastResponse: loop.lastResponse,
    session: loop.conversation.session(),
    durationMs: Math.round(performance.now() - started),
    interactions: loop.interactions,
    modelCalls: loop.modelCalls,
    toolSteps: toolSteps(loop.modelCalls, (call) => loop.tools.records[call]?.success === false),
    turns: loop.turns,
  };
}

/** Sends requests to the model and calls its tools, until it responds without a tool call. */
class AgentLoop {
  readonly conversation: AgentConversation;
  readonly tools: ToolBox;
  outputText: string | null = null;
  lastRequest: ChatRequest | null = null;
  lastResponse: ChatResponse | null = null;
  interactions = 0;
  readonly modelCalls: ModelCall[] = [];
  readonly turns: TurnResult[] = [];
  readonly #laterPrompts: readonly string[];
  readonly #maxIterations: number;
  readonly #provider: ChatProvider;
  readonly #options: RunAgentOptions;

  constructor(testCase: Case, provider: ChatProvider, options: RunAgentOptions) {
    this.conversation = new AgentConversation(testCase);
    const tools = options.tools ?? mockTools(testCase.tools, testCase.agent.toolTimeoutMs, options.recorder);
    this.tools = new ToolBox(
      testCase.tools.map(({ name }) => name),
      tools,
    );
    this.#laterPrompts = testCase.laterPrompts ?? [];
    this.#maxIterations = testCase.agent.maxIterations;
    this.#provider = provider;
    this.#options = options;
  }

  async run(): Promise<void> {
    await this.#turn();
    for (const prompt of this.#laterPrompts) {
      this.conversation.addPrompt(prompt);
      await this.#turn();
    }
  }

  /** One turn: from a prompt to the response without tool calls. */
  async #turn(): Promise<void> {
    const called = this.tools.records.length;
    const last = this.interactions + this.#maxIterations;
    while (this.interactions < last) {
      const response = await this.#request();
      if (response.toolCalls.length === 0) {
        this.outputText = response.content ?? '';
        const calls = this.tools.records.slice(called).map(({ tool_name: name, input }) => ({ name, input }));
        this.turns.push({ response: this.outputText, toolCalls: calls });
        return;
      }
      for (const call of response.toolCalls) {
        this.conversation.addToolResult(call.id, await this.tools.call(call, this.#options.signal));
      }
    }
    throw new AgentError(
      'agent',
      () =>
        counted(
          this.#maxIterations,
          'agent stopped after {0} iteration without a final response',
          'agent stopped after {0} iterations without a final response',
        ),
      () => t('Raise max_iterations under [agent], or look at the tape to see why the model keeps calling tools.'),
    );
  }

  async #request(): Promise<ChatResponse> {
    const { signal, recorder, onInteraction } = this.#options;
    this.lastRequest = this.conversation.request();
    const response = await this.#provider.chat(this.lastRequest, signal);
    signal.throwIfAborted();
    this.lastResponse = response;
    this.modelCalls.push({ request: this.lastRequest, response, number: this.interactions });
    this.conversation.addResponse(response);
    onInteraction?.(
      this.interactions,
      inTheirLanguage(() => summariseResponse(recorder.value(response))),
    );
    this.interactions += 1;
    return response;
  }
}

const MAX_SUMMARY = 80;

/** A response of the model in one short line. */
export function summariseResponse({ content, toolCalls }: ChatResponse): string {
  if (toolCalls.length > 0) return t('calls {0}', toolCalls.map(({ name }) => name).join(', '));
  const line = (content ?? '').replace(/\s+/g, ' ').trim();
  if (line === '') return t('empty response');
  return t('responds: {0}', line.length <= MAX_SUMMARY ? line : `${line.slice(0, MAX_SUMMARY)}…`);
}
