import type { ChatResponse, Message, ToolDefinition } from '../../core/model/message';
import type { RequestedMode, RunResult } from '../../core/model/run';
import type { HoldsApi } from '../holds';
import { isListOf, isOneOf, isShape, isText } from '../rpc/guards';
import type { Guards } from '../rpc/rpc';
import type { AgentCasesApi } from './agentCases';
import { type AgentDebugger, agentDebuggerGuards } from './agentDebugger';
import type { ComparisonsApi } from './comparisons';
import type { EngineReviewsApi, RootParams } from './engineReviews';
import type { ForksApi } from './forks';
import type { HooksApi } from './hooks';
import type { InterruptedRecordingsApi } from './interruptedRecordings';
import type { MakeCaseApi } from './makeCase';
import type { ProxySessionsApi } from './proxySessions';
import type { RecordingCostsApi } from './recordingCosts';
import type { RecordingTargetsApi } from './recordingTargets';
import type { SearchApi } from './search';
import type { StabilityReport } from './stability';
import type { TakesApi } from './takes';
import type { TrialsApi } from './trials';

/** The calls that the extension makes to the engine process, over NDJSON on its stdio. Paths are absolute. */
export type EngineApi = AgentCasesApi &
  EngineReviewsApi &
  ComparisonsApi &
  TakesApi &
  InterruptedRecordingsApi &
  RecordingTargetsApi &
  RecordingCostsApi &
  ProxySessionsApi &
  HoldsApi &
  ForksApi &
  HooksApi &
  SearchApi &
  MakeCaseApi &
  TrialsApi & {
    /** The first call: both ends check that they use the same protocol. */
    hello(params: undefined): EngineHello;
    /** Runs cases, and sends a `run` event for each step. Aborting the call cancels what runs. */
    run(params: RunParams, signal: AbortSignal): Promise<readonly RunResult[]>;
    /** The changes of tapes and baselines from a revision to the last commit, or in a range of commits, as Markdown. */
    changesSince(params: SinceParams): Promise<string>;
    /** Records a case several times without replacing its tape; sends a `run` event of type `interaction` as each take begins. */
    stability(params: StabilityParams, signal: AbortSignal): Promise<StabilityReport>;
    /** Makes a new folder a git repository, with all its files in the first commit. */
    createRepository(params: CreateRepositoryParams): Promise<void>;
    /** What Tapedeck can use on this machine, and what is missing for what, as a text. */
    selfCheck(params: SelfCheckParams, signal: AbortSignal): Promise<string>;
    /** Calls one of the tools that language models are offered; returns its result as text. */
    callTool(params: CallToolParams, signal: AbortSignal): Promise<string>;
  };

/** The calls that the engine makes to the extension while it serves one of its calls. */
export type EditorApi = AgentDebugger & {
  /** Sends a request to a language model of the editor, which asks the user for consent. */
  chat(params: ChatParams, signal: AbortSignal): Promise<ChatResponse>;
};

export interface ChatParams {
  /** `vendor/family`, a family, or an id; absent for the first available model. */
  readonly model?: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
}

export const editorGuards: Guards<EditorApi> = {
  ...agentDebuggerGuards,
  // The engine is our own child process: only the shape is checked, the content is trusted.
  chat: (value): value is ChatParams =>
    isShape<{ messages: readonly object[]; tools: readonly object[] }>({
      messages: isListOf(isShape({})),
      tools: isListOf(isShape({})),
    })(value),
};

export const ENGINE_PROTOCOL = 1;

export interface EngineHello {
  readonly protocol: number;
  readonly version: string;
}

export interface RunParams extends RootParams {
  readonly runId: string;
  readonly casePaths: readonly string[];
  readonly mode: RequestedMode;
  /** In a recording: the first interaction of the new take, from 0; earlier ones are replayed from the tape. */
  readonly from?: number | 'drift' | undefined;
  /** The user's own agents are run with the editor's debugger, one after the other. */
  readonly debug?: true | undefined;
  /** API keys by environment variable, for variables that are not set. They stay in memory. */
  readonly keys: Readonly<Record<string, string>>;
}

export interface CreateRepositoryParams extends RootParams {
  /** Of the commit. */
  readonly message: string;
}

export interface SelfCheckParams {
  /** Where cases are; absent if no folder is open. */
  readonly folder?: string | undefined;
  /** The environment variables of the keys that the editor has stored. */
  readonly storedKeys: readonly string[];
}

export interface SinceParams extends RootParams {
  readonly revision: string;
}

export interface StabilityParams extends RootParams {
  readonly casePath: string;
  readonly runId: string;
  readonly times: number;
  /** As in `RunParams`. */
  readonly keys: Readonly<Record<string, string>>;
}

export interface CallToolParams extends RootParams {
  readonly name: string;
  /** From a model; the tool validates it. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The stored API keys by environment variable, which are hidden from the model. They stay in memory. */
  readonly keys: Readonly<Record<string, string>>;
}

/** The params of a `run` event. */
export type RunEvent =
  | { readonly runId: string; readonly type: 'started'; readonly casePath: string }
  | {
      readonly runId: string;
      readonly type: 'interaction';
      readonly casePath: string;
      readonly index: number;
      readonly summary: string;
    }
  | { readonly runId: string; readonly type: 'finished'; readonly casePath: string; readonly result: RunResult };

export const RUN_EVENT = 'run';

/** The engine is our own child: its events are checked for their kind, their content is trusted. */
export function isRunEvent(value: unknown): value is RunEvent {
  const kinds = isOneOf('started', 'interaction', 'finished');
  return isShape<{ runId: string; type: string; casePath: string }>({ runId: isText, type: kinds, casePath: isText })(
    value,
  );
}
