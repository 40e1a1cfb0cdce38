import type { ChatResponse, Message, ToolDefinition } from '../../core/model/message';
import type { RunResult } from '../../core/model/run';
import {
  count,
  either,
  flag,
  list,
  named,
  nothing,
  object,
  optional,
  shape,
  text,
  trusted,
} from '../../core/schema/schema';
import { call, contract, type Handlers, type Params, returns } from '../contract';
import { holdsCalls } from '../holds';
import { agentCasesCalls } from './agentCases';
import { agentDebuggerCalls } from './agentDebugger';
import { comparisonsCalls } from './comparisons';
import { engineReviewsCalls } from './engineReviews';
import { forksCalls } from './forks';
import { hooksCalls } from './hooks';
import { interruptedRecordingsCalls } from './interruptedRecordings';
import { makeCaseCalls } from './makeCase';
import { ROOT } from './project';
import { proxySessionsCalls } from './proxySessions';
import { recordingCostsCalls } from './recordingCosts';
import { recordingTargetsCalls } from './recordingTargets';
import { searchCalls, searchEvent } from './search';
import { heldEvent, sessionEvent } from './sessionEvents';
import type { StabilityReport } from './stability';
import { takesCalls } from './takes';
import { trialEvent, trialsCalls } from './trials';

/** API keys by environment variable, for variables that are not set. They stay in memory. */
const KEYS = { keys: named('', text()) };

/** What the extension asks of the engine process, over NDJSON on its stdio, and what that asks in return. Paths are absolute. */
export const engine = contract({
  calls: {
    ...agentCasesCalls,
    ...engineReviewsCalls,
    ...comparisonsCalls,
    ...takesCalls,
    ...interruptedRecordingsCalls,
    ...recordingTargetsCalls,
    ...recordingCostsCalls,
    ...proxySessionsCalls,
    ...holdsCalls,
    ...forksCalls,
    ...hooksCalls,
    ...searchCalls,
    ...makeCaseCalls,
    ...trialsCalls,
    /** The first call: both ends check that they use the same protocol. */
    hello: call(nothing, returns<EngineHello>()),
    /** Runs cases, and emits a `run` event for each step. Aborting the call cancels what runs. */
    run: call(
      shape({
        ...ROOT,
        ...KEYS,
        runId: text(),
        casePaths: list(text()),
        mode: text('', { enum: ['replay', 'record', 'live'] }),
        /** In a recording: the first interaction of the new take, from 0; earlier ones are replayed from the tape. */
        from: optional(either(count(), text('', { enum: ['drift'] }))),
        /** The user's own agents are run with the editor's debugger, one after the other. */
        debug: optional(flag()),
      }),
      returns<readonly RunResult[]>(),
    ),
    /** The changes of tapes and baselines from a revision to the last commit, or in a range of commits, as Markdown. */
    changesSince: call(shape({ ...ROOT, revision: text() }), returns<string>()),
    /** Records a case several times without replacing its tape; emits a `run` event of type `interaction` as each take begins. */
    stability: call(
      shape({ ...ROOT, ...KEYS, casePath: text(), runId: text(), times: count() }),
      returns<StabilityReport>(),
    ),
    /** Makes a new folder a git repository, with all its files in the first commit, which has this message. */
    createRepository: call(shape({ ...ROOT, message: text() }), returns<void>()),
    /**
     * What Tapedeck can use on this machine, and what is missing for what, as a text. The folder is where cases are; the editor names
     * the variables of the keys that it has stored.
     */
    selfCheck: call(shape({ folder: optional(text()), storedKeys: list(text()) }), returns<string>()),
    /**
     * Calls one of the tools that language models are offered; returns its result as text. The input is from a model, and the tool
     * validates it. The keys are hidden from the model.
     */
    callTool: call(
      shape({ ...ROOT, ...KEYS, name: text(), input: trusted<Readonly<Record<string, unknown>>>(object()) }),
      returns<string>(),
    ),
  },
  callbacks: {
    ...agentDebuggerCalls,
    /**
     * Sends a request to a language model of the editor, which asks the user for consent. The model is `vendor/family`, a family, or an
     * id; absent for the first available one.
     */
    chat: call(
      shape({
        model: optional(text()),
        messages: trusted<readonly Message[]>(list(object())),
        tools: trusted<readonly ToolDefinition[]>(list(object())),
      }),
      returns<ChatResponse>(),
    ),
  },
  events: {
    /** A step of a run, a fork, or a stability check. */
    run: trusted<RunEvent>(
      shape({ runId: text(), type: text('', { enum: ['started', 'interaction', 'finished'] }), casePath: text() }),
    ),
    session: sessionEvent,
    held: heldEvent,
    trial: trialEvent,
    search: searchEvent,
  },
});
export type EngineApi = Handlers<typeof engine.calls>;
export type EditorApi = Handlers<typeof engine.callbacks>;
type EngineParams<M extends keyof EngineApi> = Params<(typeof engine.calls)[M]>;
export type RunParams = EngineParams<'run'>;
export type SinceParams = EngineParams<'changesSince'>;
export type StabilityParams = EngineParams<'stability'>;
export type CallToolParams = EngineParams<'callTool'>;
export type ChatParams = Params<typeof engine.callbacks.chat>;

export const ENGINE_PROTOCOL = 1;

export interface EngineHello {
  readonly protocol: number;
  readonly version: string;
}

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
