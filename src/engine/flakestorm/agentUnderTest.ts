import type { Chaos } from '../../core/flakestorm/chaos';
import type { FlakestormConfig } from '../../core/flakestorm/config';
import { type FaultyLlmOutcome, faultyLlmOutcome, poisonedInput } from '../../core/flakestorm/faults';
import { compactJson, isRecord } from '../../core/json/json';
import { jsonValue } from '../../core/json/readJson';
import type { Message } from '../../core/model/message';
import type { RequestedMode } from '../../core/model/run';
import type { FlakestormSession } from '../../core/tapes/formats/flakestorm/session';
import { executeCase } from '../execution/executeCase';
import type { RunPlan } from '../execution/planRun';
import { planAtSpan } from '../execution/planRun';
import type { CaseFile, ExecuteOptions, Execution } from '../execution/runnableCase';
import { syntheticCase } from '../execution/syntheticCase';
import { mockTools } from '../execution/tools';
import { HttpAgentProvider, type PythonAgent, pythonAgent } from './agents';
import { ChaosProvider } from './chaosProvider';
import { ALTERED, ChaosClock, ChaosState } from './chaosState';
import { chaosTools, recordedTools } from './chaosTools';

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

  async ask(testPrompt: TestPrompt, chaosState?: ChaosState): Promise<PromptResult> {
    const agent = this.config?.agent;
    if (agent?.type === 'python' || agent?.type === 'langchain') {
      const python = { type: agent.type, endpoint: agent.endpoint };
      return this.#askPython(python, testPrompt, chaosState);
    }
    return this.#askBuiltIn(testPrompt, chaosState);
  }

  /** Runs the user's own Python, with its model calls going through the tape. Faults change its output, as in Flakestorm. */
  async #askPython(
    python: PythonAgent,
    testPrompt: TestPrompt,
    chaosState: ChaosState | undefined,
  ): Promise<PromptResult> {
    const { planExternal } = await import('../execution/external/executeExternal');
    const llm = { tape: testPrompt.tape, recordTape: testPrompt.tape };
    const testCase = { ...caseOf(testPrompt, chaosState), llm };
    const agent = pythonAgent(python, this.options.casePath, this.configPath);
    const execution = await planExternal(testCase, agent, this.mode).execute(this.options);
    const { run, artifact } = execution;
    const faulty = chaosState && run.error === null ? applyFaults(chaosState, run.outputText ?? '') : undefined;
    const text = faulty?.type === 'text' ? faulty.text : (run.outputText ?? '');
    const error = faulty?.type === 'error' ? faulty.message : run.error?.message;
    const outcome = { execution, text, latencyMs: artifact.duration_ms, countedMs: 0 };
    return error === undefined ? outcome : { ...outcome, text: '', error };
  }

  async #askBuiltIn(testPrompt: TestPrompt, chaosState?: ChaosState): Promise<PromptResult> {
    const clock = new ChaosClock(this.mode !== 'replay');
    const testCase = caseOf(testPrompt, chaosState);
    const agent = this.#agent(chaosState, clock);
    const plan = await this.#plan(testPrompt, agent);
    const { session } = testPrompt;
    const tools = session
      ? recordedTools(session.toolResponses, clock)
      : mockTools(testCase.tools, testCase.agent.toolTimeoutMs);
    const execution = await executeCase(testCase, plan, {
      ...this.options,
      tools: chaosState === undefined ? tools : chaosTools(tools, chaosState, clock),
      ...(agent && { live: agent }),
      ...(chaosState && { wrap: (inner) => new ChaosProvider(inner, chaosState, clock) }),
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

  /** Resets the user's agent, where it has a way to. */
  async reset(): Promise<void> {
    await this.#agent(undefined, new ChaosClock(false))?.reset(this.options.signal);
  }

  #agent(chaosState: ChaosState | undefined, clock: ChaosClock): HttpAgentProvider | undefined {
    const agent = this.config?.agent;
    if (this.mode === 'replay' || agent?.type !== 'http') return undefined;
    return new HttpAgentProvider(agent, { network: this.options.network, clock, ...(chaosState && { chaosState }) });
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

/** Applies the faults of the model to an output. */
function applyFaults(chaosState: ChaosState, text: string): FaultyLlmOutcome {
  const outcome = faultyLlmOutcome(chaosState.chaos.llmFaults, text, chaosState.nextResponse(), chaosState.random);
  if (outcome.type === 'error') chaosState.faults.push(outcome.message);
  else if (outcome.text !== text) chaosState.faults.push(ALTERED.agent);
  return outcome;
}

function caseOf({ name, prompt, session }: TestPrompt, chaosState: ChaosState | undefined) {
  const attacks = chaosState?.chaos.contextAttacks ?? [];
  const names = new Set(session?.toolResponses.map(({ tool }) => tool));
  return syntheticCase({
    name,
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
