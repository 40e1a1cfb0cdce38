import * as vscode from 'vscode';
import { RUNS_FOLDER } from '../../../core/project/layout';
import { walk } from '../files/workspaceFiles';
import { runRecordUri } from './runRecords';

/** The names of the records in the workspace, which tell of thousands of cases which have run, with a look at few folders. */
export class RecordedRuns {
  private constructor(private readonly files: ReadonlySet<string>) {}

  static async find(): Promise<RecordedRuns> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const found = await Promise.all(folders.map(({ uri }) => filesIn(vscode.Uri.joinPath(uri, RUNS_FOLDER))));
    return new RecordedRuns(new Set(found.flat().map(String)));
  }

  has(caseUri: vscode.Uri): boolean {
    return this.files.size > 0 && this.files.has(String(runRecordUri(caseUri)));
  }
}

async function filesIn(folder: vscode.Uri): Promise<readonly vscode.Uri[]> {
  try {
    return await walk(folder);
  } catch {
    // Nothing has run there, or what has cannot be read.
    return [];
  }
}
