import { dirname, relative } from 'node:path';
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
import { HttpAgentProvider, pythonAgent } from './agents';
import { ChaosProvider } from './chaosProvider';
import { ChaosClock, ChaosState } from './chaosState';
import { chaosTools, recordedTools } from './chaosTools';

/** What is said to the agent, and where the answers of the model are. */
export interface TestPrompt {
  readonly name: string;
  readonly prompt: string;
  /** Relative to the case's folder. */
  readonly tape: string;
  readonly session?: FlakestormSession;
}

/** What an agent made of a question. */
export interface PromptResult {
  readonly execution: Execution;
  readonly text: string;
  /** With the delays that were counted and not waited. */
  readonly latencyMs: number;
  readonly countedMs: number;
  /** What ended the run, in words. */
  readonly error?: string;
}

/** Who is asked: in a replay the tape, else the agent of the configuration, else the built-in agent with a provider. */
export class AgentUnderTest {
  constructor(
    private readonly config: FlakestormConfig | undefined,
    private readonly mode: RequestedMode,
    private readonly file: CaseFile,
    private readonly options: ExecuteOptions,
    /** The file of the configuration, where that is not the case's own. */
    private readonly configPath?: string,
  ) {}

  /** Chaos to ask under. Calls are counted over all that is asked under it. */
  trouble(chaos: Chaos): ChaosState {
    return new ChaosState(chaos, this.config?.seed ?? 1);
  }

  async ask(question: TestPrompt, trouble?: ChaosState): Promise<PromptResult> {
    const agent = this.config?.agent;
    if (agent?.type === 'python' || agent?.type === 'langchain') {
      return this.#askPython(agent.type, agent.endpoint, question, trouble);
    }
    return this.#askBuiltIn(question, trouble);
  }

  /** The user's own Python, its calls of models through the tape. Faults strike what it answers, as in Flakestorm. */
  async #askPython(
    type: 'python' | 'langchain',
    endpoint: string,
    question: TestPrompt,
    trouble: ChaosState | undefined,
  ): Promise<PromptResult> {
    const { planExternal } = await import('../execution/external/executeExternal');
    const llm = { tape: question.tape, recordTape: question.tape };
    const testCase = { ...caseOf(question, trouble), llm };
    const agent = pythonAgent(type, endpoint, this.configPath ?? this.options.casePath);
    const cwd = relative(dirname(this.options.casePath), dirname(this.configPath ?? this.options.casePath)) || '.';
    const execution = await planExternal(testCase, { ...agent, cwd }, this.mode).execute(this.options);
    const { run, artifact } = execution;
    const struck = trouble && run.error === null ? applyFaults(trouble, run.outputText ?? '') : undefined;
    const text = struck?.type === 'text' ? struck.text : (run.outputText ?? '');
    const error = struck?.type === 'error' ? struck.message : run.error?.message;
    const answered = { execution, text, latencyMs: artifact.duration_ms, countedMs: 0 };
    return error === undefined ? answered : { ...answered, text: '', error };
  }

  async #askBuiltIn(question: TestPrompt, trouble?: ChaosState): Promise<PromptResult> {
    const clock = new ChaosClock(this.mode !== 'replay');
    const testCase = caseOf(question, trouble);
    const agent = this.#agent(trouble, clock);
    const plan = await this.#plan(question, agent);
    const { session } = question;
    const tools = session
      ? recordedTools(session.toolResponses, clock)
      : mockTools(testCase.tools, testCase.agent.toolTimeoutMs);
    const execution = await executeCase(testCase, plan, {
      ...this.options,
      tools: trouble === undefined ? tools : chaosTools(tools, trouble, clock),
      ...(agent && { live: agent }),
      ...(trouble && { wrap: (inner) => new ChaosProvider(inner, trouble, clock) }),
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

  /** Brings the user's agent back to its start, where that can be. */
  async reset(): Promise<void> {
    await this.#agent(undefined, new ChaosClock(false))?.reset(this.options.signal);
  }

  #agent(trouble: ChaosState | undefined, clock: ChaosClock): HttpAgentProvider | undefined {
    const agent = this.config?.agent;
    if (this.mode === 'replay' || agent?.type !== 'http') return undefined;
    return new HttpAgentProvider(agent, { env: this.options.env, clock, ...(trouble && { trouble }) });
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

/** What the faults of the model make of an answer. */
function applyFaults(trouble: ChaosState, text: string): FaultyLlmOutcome {
  const outcome = faultyLlmOutcome(trouble.chaos.llmFaults, text, trouble.nextAnswer(), trouble.random);
  if (outcome.type === 'error') trouble.struck.push(outcome.message);
  else if (outcome.text !== text) trouble.struck.push('the answer of the agent');
  return outcome;
}

function caseOf({ name, prompt, session }: TestPrompt, trouble: ChaosState | undefined) {
  const attacks = trouble?.chaos.contextAttacks ?? [];
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

/** Flakestorm does not say what a context is made of; where it looks like a message it is one. */
function messageOf(item: ReturnType<typeof jsonValue>): Message {
  const { role = 'user', content } = isRecord(item) ? item : {};
  const text = typeof content === 'string' ? content : compactJson(item);
  return { role: typeof role === 'string' ? role : 'user', content: text, toolCalls: [] };
}
