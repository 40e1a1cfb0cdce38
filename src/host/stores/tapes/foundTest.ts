import type * as vscode from 'vscode';
import type { TapeTest } from '../../../core/tapeTests/tapeTest';

/** A test that uses at least one tape. */
export interface FoundTest {
  readonly file: vscode.Uri;
  readonly folder: vscode.WorkspaceFolder;
  readonly test: TapeTest;
}
