import type * as vscode from 'vscode';
import type { ClosedSession } from '../../contracts/engine/proxySessions';

/** What is to run, and the tape that it is recorded to. */
export interface TapedProgram {
  readonly folder: vscode.WorkspaceFolder;
  /** Empty for a terminal, unless one command in it made all requests. */
  readonly words: readonly string[];
  readonly tape: vscode.Uri;
}

/** A program that has ended, and what was recorded of it. */
export interface RecordedProgram extends TapedProgram {
  /** Undefined if it was stopped, or could not be started. */
  readonly exitCode: number | undefined;
  readonly closed: ClosedSession;
}
