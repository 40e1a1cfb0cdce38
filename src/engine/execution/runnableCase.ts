import { basename, join } from 'node:path';
import type { Artifact, InteractionVerdict, RunMode } from '../../core/model/artifact';
import type { Failure, RecordedTake, RequestedMode, TapeUse } from '../../core/model/run';
import type { Span } from '../../core/text/source';
import type { ChatProvider } from '../providers/chatProvider';
import type { AskEditor } from '../providers/editorModel';
import type { ResumeAt } from '../recording/writeTake';
import type { AgentRun } from './agentRun';
import type { ToolRunner } from './tools';

/** A case that has been read, whatever its kind. */
export interface RunnableCase {
  readonly name: string;
  /** What is worth knowing about how it is written, each a line for the user. */
  readonly notices?: readonly string[];
  /** What a run in this mode does. Rejects with a `CaseError` when the case has nothing to do in it. */
  plan(mode: RequestedMode, root: string): Promise<PlannedRun>;
}

export interface PlannedRun {
  readonly mode: RunMode;
  /** Rejects with a `ProviderError`, a `UserError`, or the signal's reason. */
  execute(options: ExecuteOptions): Promise<Execution>;
}

export interface ExecuteOptions {
  /** The project's root. */
  readonly root: string;
  readonly casePath: string;
  /** False: beyond the end of a script or tape, what MoFA does. */
  readonly strict: boolean;
  readonly signal: AbortSignal;
  env(name: string): string | undefined;
  onInteraction?(index: number, summary: string): void;
  /** One line for the user, such as that a provider is asked again. */
  onNotice?(notice: string): void;
  /** Asks a model of the editor, where the engine runs in one. */
  readonly askEditor?: AskEditor;
  /** What the tools do, where not what the case says of each. */
  readonly tools?: ToolRunner;
  /** Who is asked when a run is live or recorded, where that is not the provider of the plan. */
  readonly live?: ChatProvider;
  /** In a recording: where the new take begins; what is before stays as it is on the tape. */
  readonly from?: ResumeAt;
  /** Where a recording goes, when it is made to be looked at and not to replace the tape. */
  readonly aside?: AsideTake;
  /** What stands between the agent and its model, such as faults. */
  wrap?(provider: ChatProvider): ChatProvider;
}

/** One of several recordings that leave the tape as it is. */
export interface AsideTake {
  /** Absolute; of this take alone. The recording has the name of the tape there. */
  readonly folder: string;
  /** Which of them it is, from 0. */
  readonly round: number;
}

/** Where a recording of the tape is written to. */
export function recordingPath(tapePath: string, aside: AsideTake | undefined): string {
  return aside === undefined ? tapePath : join(aside.folder, basename(tapePath));
}

/** What a result takes from a run of an agent. */
export type RunOutcome = Pick<AgentRun, 'outputText' | 'error' | 'toolCallOrder' | 'interactions'>;

export interface Execution {
  readonly run: RunOutcome;
  readonly artifact: Artifact;
  readonly recording?: RecordedTake;
  /** In a replay: how many interactions the tape has. */
  readonly recorded?: number;
  readonly tapeUses?: readonly TapeUse[];
  readonly interactions?: readonly InteractionVerdict[];
  /** What failed besides the run itself. */
  readonly failures?: readonly Failure[];
  /** Where each assertion of the artifact stands in the case, as far as it does. */
  readonly assertionSpans?: readonly (Span | undefined)[];
  /** What the reader of the result has to know, each in a few words. */
  readonly notes?: readonly string[];
}

/** The file of a case, as what runs it needs it. */
export interface CaseFile {
  /** Absolute, without the id of a case. */
  readonly path: string;
  /** From the project's root: how messages call it. */
  readonly name: string;
  readonly text: string;
  /** Which of the cases of the file. */
  readonly id?: string;
}
