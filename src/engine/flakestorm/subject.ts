import type { Chaos } from '../../core/flakestorm/chaos';
import type { FlakestormConfig } from '../../core/flakestorm/config';
import { poisonedInput } from '../../core/flakestorm/faults';
import { isRecord } from '../../core/json/json';
import { jsonValue } from '../../core/json/jsonDocument';
import type { RequestedMode } from '../../core/runs/run';
import type { ReplaySession } from '../../core/tapes/formats/flakestormModel';
import type { Message } from '../../core/tapes/tape';
import { compactJson } from '../../core/wire/compactJson';
import { mockTools } from '../agent/toolRunner';
import { type AgentExecution, executeCase } from '../runs/executeCase';
import { syntheticCase } from '../runs/kinds/synthetic';
import type { CaseFile } from '../runs/openCase';
import { planAtPlace } from '../runs/planAtPlace';
import type { RunPlan } from '../runs/planRun';
import type { ExecuteOptions } from '../runs/runnableCase';
import { ChaosProvider } from './chaosProvider';
import { chaosTools, recordedTools } from './chaosTools';
import { HttpAgentProvider } from './httpAgentProvider';
import { ChaosClock, Trouble } from './trouble';

/** What is said to the agent, and where the answers of the model are. */
export interface Question {
  readonly name: string;
  readonly prompt: string;
  /** Relative to the case's folder. */
  readonly tape: string;
  readonly session?: ReplaySession;
}

/** What an agent made of a question. */
export interface Answered {
  readonly execution: AgentExecution;
  readonly text: string;
  /** With the delays that were counted and not waited. */
  readonly latencyMs: number;
  readonly countedMs: number;
  /** What ended the run, in words. */
  readonly error?: string;
}

/** Who is asked: in a replay the tape, else the agent of the configuration, else the built-in agent with a provider. */
export class Subject {
  constructor(
    private readonly config: FlakestormConfig | undefined,
    private readonly mode: RequestedMode,
    private readonly file: CaseFile,
    private readonly options: ExecuteOptions,
  ) {}

  /** Chaos to ask under. Calls are counted over all that is asked under it. */
  trouble(chaos: Chaos): Trouble {
    return new Trouble(chaos, this.config?.seed ?? 1);
  }

  async ask(question: Question, trouble?: Trouble): Promise<Answered> {
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

  #agent(trouble: Trouble | undefined, clock: ChaosClock): HttpAgentProvider | undefined {
    const agent = this.config?.agent;
    if (this.mode === 'replay' || agent?.type !== 'http') return undefined;
    return new HttpAgentProvider(agent, { env: this.options.env, clock, ...(trouble && { trouble }) });
  }

  #plan({ tape }: Question, agent: HttpAgentProvider | undefined): Promise<RunPlan> | RunPlan {
    if (agent !== undefined) {
      const provider = { kind: 'practice', stream: false, timeoutMs: 1 } as const;
      return this.mode === 'record' ? { mode: 'record', tape, provider } : { mode: 'live', provider };
    }
    const llm = { tape, recordTape: tape };
    return planAtPlace(llm, this.mode, this.options.root, this.file, { start: 0, end: 0 });
  }
}

function caseOf({ name, prompt, session }: Question, trouble: Trouble | undefined) {
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
