import { DEFAULT_REPLAY_SPEC } from '../../core/cases/toml/replaySpec';
import { type Chaos, isActive } from '../../core/flakestorm/chaos';
import type { FlakestormConfig } from '../../core/flakestorm/config';
import {
  type FaultyLlmOutcome,
  faultyLlmOutcome,
  faultyToolOutcome,
  injectedResult,
  LLM_TIMEOUT,
  llmTimeout,
  poisonedInput,
} from '../../core/flakestorm/faults';
import { compactJson, isRecord } from '../../core/json/json';
import { jsonValue } from '../../core/json/readJson';
import type { ReplaySpec } from '../../core/model/case';
import type { ChatRequest, ChatResponse, Message } from '../../core/model/message';
import type { RequestedMode } from '../../core/model/run';
import type { DeclaredResponse, FlakestormSession } from '../../core/tapes/formats/flakestorm/session';
import { message } from '../../core/text/l10n';
import { ProviderError } from '../errors/runErrors';
import { executeCase } from '../execution/executeCase';
import { planAtSpan, type RunPlan } from '../execution/planRun';
import type { CaseFile, ExecuteOptions, Execution } from '../execution/runnableCase';
import { syntheticCase } from '../execution/syntheticCase';
import { mockTools, type ToolCallOutcome, type ToolRunner } from '../execution/tools';
import type { ChatProvider } from '../providers/chatProvider';
import { HttpAgentProvider, type PythonAgent, pythonAgent } from './agents';
import { ALTERED, ChaosClock, ChaosState } from './chaosState';

/** A prompt for the agent, and the tape with the responses of the model. */
export interface TestPrompt {
  readonly name: string;
  readonly prompt: string;
  /** Relative to the case's folder. */
  readonly tape: string;
  readonly session?: FlakestormSession;
}

/** The result of one prompt. */
export interface PromptResult {
  readonly execution: Execution;
  readonly text: string;
  /** Including delays that were counted without waiting. */
  readonly latencyMs: number;
  readonly countedMs: number;
  /** Why the run ended, where it ended in an error. */
  readonly error?: string;
}

/** The agent that prompts go to: in a replay the tape, else the agent of the configuration, else the built-in agent. */
export class AgentUnderTest {
  constructor(
    private readonly config: FlakestormConfig | undefined,
    private readonly mode: RequestedMode,
    private readonly file: CaseFile,
    private readonly options: ExecuteOptions,
    /** The file of the configuration, where it is not the case itself. */
    private readonly configPath?: string,
  ) {}

  /** A state of chaos for `ask`. It counts the calls of all prompts that are sent under it. */
  startChaos(chaos: Chaos): ChaosState {
    return new ChaosState(chaos, this.config?.seed ?? 1);
  }

  /** A state of the configuration's chaos; undefined if it has none. */
  configuredChaos(): ChaosState | undefined {
    const chaos = this.config?.chaos;
    return chaos !== undefined && isActive(chaos) ? this.startChaos(chaos) : undefined;
  }

  /** Sends a prompt. Of several states of chaos, the first is nearest to the agent. */
  async ask(testPrompt: TestPrompt, ...chaos: readonly ChaosState[]): Promise<PromptResult> {
    const agent = this.config?.agent;
    if (agent?.type === 'python' || agent?.type === 'langchain') {
      const python = { type: agent.type, endpoint: agent.endpoint };
      return this.#askPython(python, testPrompt, chaos);
    }
    return this.#askBuiltIn(testPrompt, chaos);
  }

  /** Runs the user's own Python, with its model calls going through the tape. Faults change its output, as in Flakestorm. */
  async #askPython(python: PythonAgent, testPrompt: TestPrompt, chaos: readonly ChaosState[]): Promise<PromptResult> {
    const { planExternal } = await import('../execution/external/executeExternal');
    const llm = { tape: testPrompt.tape, recordTape: testPrompt.tape };
    const testCase = { ...caseOf(testPrompt, chaos), llm };
    const agent = pythonAgent(python, this.options.casePath, this.configPath);
    const execution = await planExternal(testCase, agent, this.mode).execute(this.options);
    const { run, artifact } = execution;
    const outcome = { execution, latencyMs: artifact.duration_ms, countedMs: 0 };
    if (run.error !== null) return { ...outcome, text: '', error: run.error.message };
    const faulty = applyFaults(chaos, run.outputText ?? '', artifact.duration_ms);
    return faulty.type === 'text' ? { ...outcome, text: faulty.text } : { ...outcome, text: '', error: faulty.message };
  }

  async #askBuiltIn(testPrompt: TestPrompt, chaos: readonly ChaosState[]): Promise<PromptResult> {
    const clock = new ChaosClock(this.mode !== 'replay');
    const testCase = caseOf(testPrompt, chaos);
    const agent = this.#agent(chaos, clock);
    const plan = await this.#plan(testPrompt, agent);
    const { session } = testPrompt;
    const tools = session
      ? recordedTools(session.toolResponses, clock)
      : mockTools(testCase.tools, testCase.agent.toolTimeoutMs);
    const execution = await executeCase(testCase, plan, {
      ...this.options,
      tools: chaos.reduce((inner, one) => chaosTools(inner, one, clock), tools),
      ...(agent && { live: agent }),
      wrap: (provider) => chaos.reduce((inner, one) => new ChaosProvider(inner, one, clock), provider),
    });
    const { run } = execution;
    return {
      execution,
      text: run.outputText ?? '',
      latencyMs: run.durationMs + clock.countedMs,
      countedMs: clock.countedMs,
      ...(run.error === null ? {} : { error: run.error.message }),
    };
  }

  /** Whether the configuration names a way to reset the agent. */
  get canReset(): boolean {
    const agent = this.config?.agent;
    return agent?.type === 'http' && agent.resetEndpoint !== undefined;
  }

  /** Resets the user's agent, where it has a way to. */
  async reset(): Promise<void> {
    await this.#agent([], new ChaosClock(false))?.reset(this.options.signal);
  }

  #agent(chaos: readonly ChaosState[], clock: ChaosClock): HttpAgentProvider | undefined {
    const agent = this.config?.agent;
    if (this.mode === 'replay' || agent?.type !== 'http') return undefined;
    return new HttpAgentProvider(agent, { network: this.options.network, clock, chaos });
  }

  #plan({ tape }: TestPrompt, agent: HttpAgentProvider | undefined): Promise<RunPlan> | RunPlan {
    if (agent !== undefined) {
      const provider = { kind: 'practice', stream: false, timeoutMs: 1 } as const;
      return this.mode === 'record' ? { mode: 'record', tape, provider } : { mode: 'live', provider };
    }
    const llm = { tape, recordTape: tape };
    return planAtSpan(llm, this.mode, this.options.root, this.file, { start: 0, end: 0 });
  }
}

/** Applies the faults of the model to an output that took this long. */
function applyFaults(chaos: readonly ChaosState[], said: string, durationMs: number): FaultyLlmOutcome {
  let text = said;
  for (const chaosState of chaos) {
    const outcome = applyChaos(chaosState, text, durationMs);
    if (outcome.type === 'error') {
      chaosState.faults.push(outcome.message);
      return outcome;
    }
    if (outcome.text !== text) chaosState.faults.push(ALTERED.agent);
    text = outcome.text;
  }
  return { type: 'text', text };
}

function applyChaos(chaosState: ChaosState, text: string, durationMs: number): FaultyLlmOutcome {
  const { random } = chaosState;
  const { llmFaults } = chaosState.chaos;
  const number = chaosState.nextResponse();
  const limitMs = llmTimeout(llmFaults, number, random);
  if (limitMs === undefined) return faultyLlmOutcome(llmFaults, text, number, random);
  return durationMs > limitMs ? { type: 'error', message: LLM_TIMEOUT } : { type: 'text', text };
}

/** Faults change the requests that follow them; the recorded responses are served all the same, as in Flakestorm. */
const BY_POSITION: ReplaySpec = { ...DEFAULT_REPLAY_SPEC, match: 'sequence', onDrift: 'warn' };

function caseOf({ name, prompt, session }: TestPrompt, states: readonly ChaosState[]) {
  const attacks = states.flatMap(({ chaos }) => chaos.contextAttacks);
  const names = new Set(session?.toolResponses.map(({ tool }) => tool));
  return syntheticCase({
    name,
    ...(states.length > 0 && { llm: { replay: BY_POSITION } }),
    prompt: poisonedInput(attacks, prompt),
    context: (session?.context ?? []).map((node) => messageOf(jsonValue(node))),
    tools: [...names].map((tool) => ({
      name: tool,
      description: '',
      schema: { type: 'object' },
      result: null,
      delayMs: 0,
    })),
  });
}

/** Flakestorm leaves the items of a context open; an item with a role and content is taken as a message. */
function messageOf(item: ReturnType<typeof jsonValue>): Message {
  const { role = 'user', content } = isRecord(item) ? item : {};
  const text = typeof content === 'string' ? content : compactJson(item);
  return { role: typeof role === 'string' ? role : 'user', content: text, toolCalls: [] };
}

/** Tools under chaos. */
function chaosTools(inner: ToolRunner, chaosState: ChaosState, clock: ChaosClock): ToolRunner {
  const { chaos, random, faults } = chaosState;
  return async (call, signal) => {
    const number = chaosState.nextTool();
    const outcome = faultyToolOutcome(chaos.toolFaults, { tool: call.name }, number, random);
    await clock.wait(outcome.delayMs, signal);
    if (outcome.type !== 'call' || outcome.delayMs > 0) faults.push(`${call.name}: ${describeFault(outcome)}`);
    if (outcome.type === 'timeout') return { problem: outcome.message, timedOut: true };
    if (outcome.type === 'response') return httpOutcome(outcome.status, outcome.body);
    const result = await inner(call, signal);
    return 'output' in result
      ? { output: injectedResult(chaos.contextAttacks, result.output, number, random) }
      : result;
  };
}

function describeFault(outcome: ReturnType<typeof faultyToolOutcome>): string {
  if (outcome.type === 'timeout') return outcome.message;
  return outcome.type === 'call' ? `slow by ${outcome.delayMs} ms` : `${outcome.status} ${outcome.body}`;
}

/**
 * Tools that return the responses recorded in a session, in order for each tool, with status and latency. Flakestorm itself
 * ignores these and lets the agent call its real tools.
 */
function recordedTools(responses: readonly DeclaredResponse[], clock: ChaosClock): ToolRunner {
  const queues = new Map<string, DeclaredResponse[]>();
  for (const response of responses) queues.set(response.tool, [...(queues.get(response.tool) ?? []), response]);
  return async ({ name }, signal) => {
    const queue = queues.get(name);
    const next = queue?.shift();
    if (queue === undefined) return { problem: `there is no tool \`${name}\` in the session` };
    // This text reaches the model, and so the requests on tapes: it stays as it is.
    if (next === undefined) return { problem: `the session has no more recorded responses of \`${name}\`` };
    await clock.wait(next.latencyMs ?? 0, signal);
    const recorded = next.response === undefined ? null : jsonValue(next.response);
    const { status = 200 } = next;
    if (status !== 0 && status < 400) return { output: recorded };
    return httpOutcome(status, typeof recorded === 'string' ? recorded : compactJson(recorded));
  };
}

/** An HTTP status of 400 or more, or Flakestorm's 0, is an error to the agent. */
function httpOutcome(status: number, body: string): ToolCallOutcome {
  if (status !== 0 && status < 400) return { output: body };
  return { problem: status === 0 ? body : `HTTP ${status}: ${body}` };
}

const FIX = message('The chaos of this run injected this fault: the agent is expected to survive it.');

/** A model under chaos: faults may change or replace any response. */
class ChaosProvider implements ChatProvider {
  readonly label: string;
  readonly #inner: ChatProvider;
  readonly #chaosState: ChaosState;
  readonly #clock: ChaosClock;

  constructor(inner: ChatProvider, chaosState: ChaosState, clock: ChaosClock) {
    this.label = inner.label;
    this.#inner = inner;
    this.#chaosState = chaosState;
    this.#clock = clock;
  }

  async chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
    const { chaos, random, faults } = this.#chaosState;
    const number = this.#chaosState.nextResponse();
    const limitMs = llmTimeout(chaos.llmFaults, number, random);
    if (limitMs !== undefined) return this.#inTime(request, signal, limitMs);
    const response = await this.#inner.chat(request, signal);
    const before = response.content ?? '';
    const outcome = faultyLlmOutcome(chaos.llmFaults, before, number, random);
    if (outcome.type === 'error') {
      faults.push(outcome.message);
      throw new ProviderError('provider', outcome.message, FIX);
    }
    if (outcome.text === before) return response;
    faults.push(ALTERED.model);
    // A response made empty or gibberish calls no tools.
    const toolCalls = before === '' ? [] : response.toolCalls;
    return { ...response, content: outcome.text, toolCalls };
  }

  /**
   * Calls the model within a time limit, as Flakestorm does. Delays that are only counted count towards it; a recorded
   * response without delay is in time for any limit above zero.
   */
  async #inTime(request: ChatRequest, signal: AbortSignal, limitMs: number): Promise<ChatResponse> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), limitMs);
    const counted = this.#clock.countedMs;
    try {
      const response = await this.#inner.chat(request, AbortSignal.any([signal, late.signal]));
      if (this.#clock.countedMs - counted > limitMs) throw this.#timeout();
      return response;
    } catch (error) {
      if (late.signal.aborted && !signal.aborted) throw this.#timeout();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #timeout(): ProviderError {
    this.#chaosState.faults.push(LLM_TIMEOUT);
    return new ProviderError('provider', LLM_TIMEOUT, FIX);
  }
}
