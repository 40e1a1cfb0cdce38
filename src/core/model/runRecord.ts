import type { Said } from '../text/notice';
import type { RunMode } from './artifact';
import type { Failure } from './run';

/** What a result depends on. `case` includes the files that the case names, `agent` the source of the user's own agent. */
export type InputRole = 'case' | 'tape' | 'baseline' | 'agent' | 'rules';

/** A file as it was during a run. */
export interface RunInput {
  readonly role: InputRole;
  /** Relative to the project's root, with `/`. */
  readonly path: string;
  /** Absent if there was no such file. */
  readonly content?: FileFingerprint;
}

export interface FileFingerprint {
  readonly size: number;
  /** In whole milliseconds. */
  readonly modifiedMs: number;
  /** SHA-256, as hex digits. */
  readonly sha256: string;
}

/** Where the source of the user's own agent is: a file, or a folder with all files of an extension, or all files. */
export interface SourcePlace {
  readonly path: string;
  /** Without the dot. Only in a folder. */
  readonly extension?: string;
}

/** The last run of a case, and what it ran with. A result holds for exactly that. */
export interface RunRecord {
  readonly finishedAtMs: number;
  readonly name: string;
  readonly mode: RunMode;
  readonly status: 'passed' | 'failed';
  readonly durationMs: number;
  /** The paths of their tapes are relative to the project's root. */
  readonly failures: readonly Failure[];
  /** A summary of the comparison. */
  readonly compared: string;
  /** What the summary says. */
  readonly said?: Said;
  /** Whether there was nothing to compare the run with: no assertion and no baseline. */
  readonly checkedNothing: boolean;
  readonly inputs: readonly RunInput[];
  /** Where to look for files that were added. Relative to the project's root. */
  readonly sources: readonly SourcePlace[];
}
