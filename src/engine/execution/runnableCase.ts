import { basename, join } from 'node:path';
import type { AgentDebugger } from '../../contracts/engine/agentDebugger';
import type { Artifact, InteractionVerdict, RunMode } from '../../core/model/artifact';
import type { ExternalAgent } from '../../core/model/case';
import type { Failure, RecordedTake, RequestedMode, TapeUse } from '../../core/model/run';
import type { Said, Words } from '../../core/text/notice';
import type { Span } from '../../core/text/source';
import type { RequestEdits } from '../../core/wire/edit/editRequest';
import type { NetworkPolicy } from '../network/policy';
import type { ChatProvider } from '../providers/chatProvider';
import type { AskEditor } from '../providers/editorModel';
import type { Recorder } from '../recording/recorder';
import type { ResumeAt } from '../recording/writeTake';
import type { AgentRun } from './agentRun';
import type { ToolRunner } from './tools';

/** A case that has been read, whatever its kind. */
export interface RunnableCase {
  readonly name: string;
  /** Remarks about how the case is written, each a line for the user. */
  readonly notices?: readonly string[];
  /** Plans a run in this mode. Rejects with a `CaseError` when the case has nothing to do in it. */
  plan(mode: RequestedMode, root: string): Promise<PlannedRun>;
}

export interface PlannedRun {
  readonly mode: RunMode;
  /** What the run starts or calls besides Tapedeck's own agent. */
  readonly starts: ExternalAgent | undefined;
  /** Rejects with a `ProviderError`, a `UserError`, or the signal's reason. */
  execute(options: ExecuteOptions): Promise<Execution>;
}

export interface ExecuteOptions {
  /** The project's root. */
  readonly root: string;
  readonly casePath: string;
  readonly signal: AbortSignal;
  /** Asked before anything of the user's is started or called. Rejects if that may not be. */
  permitStart(agent: ExternalAgent): Promise<void>;
  /** Hides the secrets of everything that the run writes and reports. */
  readonly recorder: Recorder;
  /** What the run may reach, and with which keys. */
  readonly network: NetworkPolicy;
  onInteraction?(index: number, summary: string): void;
  /** Called with one line for the user, such as that a request is retried. */
  onNotice?(notice: Words): void;
  /** Sends a request to a model of the editor, where the engine runs in one. */
  readonly askEditor?: AskEditor;
  /** Set where the user's own agent is to be debugged. */
  readonly agentDebugger?: AgentDebugger;
  /** The implementation of the tools, in place of the results in the case. */
  readonly tools?: ToolRunner;
  /** The model of a live or recorded run, in place of the one of the case or the project. */
  readonly model?: string;
  /** The provider of a live or recorded run, in place of the plan's. */
  readonly live?: ChatProvider;
  /** In a recording: where the new take begins; the tape stays unchanged before that. */
  readonly from?: ResumeAt;
  /** Set for a recording that is made for comparison, and does not replace the tape. */
  readonly aside?: AsideTake;
  /** Set for a recording into a new tape, which begins with the interactions before `from`. */
  readonly fork?: ForkedTake;
  /** Wraps the provider, such as with faults. */
  wrap?(provider: ChatProvider): ChatProvider;
}

/** A case that is about to start or call something. */
export interface CaseStart {
  /** Absolute, with the id of a case in a file of several. */
  readonly casePath: string;
  /** The file of the case. */
  readonly text: string;
  readonly agent: ExternalAgent;
}

/** The permission of somebody who runs the case himself. */
export async function startedByUser(): Promise<void> {}

/** One of several recordings that leave the tape unchanged. */
interface AsideTake {
  /** Absolute; of this take alone. The recording has the name of the tape there. */
  readonly folder: string;
  /** Which of them it is, from 0. */
  readonly round: number;
}

/** A recording into a new tape that begins with interactions of another one. */
interface ForkedTake {
  /** The tape whose first interactions are shared, or a copy of it with an edited response; absolute. */
  readonly base: string;
  /** The new tape; absolute. */
  readonly target: string;
  /** What is changed in the requests that are recorded. */
  readonly edits: RequestEdits;
}

/** The file that a recording of the tape is written to. */
export function recordingPath(tapePath: string, { aside, fork }: Pick<ExecuteOptions, 'aside' | 'fork'>): string {
  if (fork !== undefined) return fork.target;
  return aside === undefined ? tapePath : join(aside.folder, basename(tapePath));
}

/** The part of an agent's run that a result needs. */
type RunOutcome = Pick<AgentRun, 'outputText' | 'error' | 'toolCallOrder' | 'interactions'>;

export interface Execution {
  readonly run: RunOutcome;
  readonly artifact: Artifact;
  readonly recording?: RecordedTake;
  /** The results of the tools were written into the case. */
  readonly wroteResults?: true;
  /** In a replay: how many interactions the tape has. */
  readonly recorded?: number;
  readonly tapeUses?: readonly TapeUse[];
  /** In a replay: MCP servers that were started, and so not replayed. */
  readonly untapedServers?: readonly string[];
  readonly interactions?: readonly InteractionVerdict[];
  /** Failures besides the run itself. */
  readonly failures?: readonly Failure[];
  /** The place of each assertion of the artifact in the case, where it has one. */
  readonly assertionSpans?: readonly (Span | undefined)[];
  /** Remarks about the result, each of a few words. */
  readonly notes?: readonly Said[];
}

/** The file of a case. */
export interface CaseFile {
  /** Absolute, without the id of a case. */
  readonly path: string;
  /** From the project's root, for messages. */
  readonly name: string;
  readonly text: string;
  /** The id of the case, in a file of several. */
  readonly id?: string;
}
