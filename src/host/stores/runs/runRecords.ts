import * as vscode from 'vscode';
import type { RunRecord } from '../../../core/model/runRecord';
import { runRecordPath } from '../../../core/project/layout';
import { readRunRecord } from '../../../core/runs/runRecordFile';
import { currentTranslation } from '../../../core/text/l10n';
import { relativeCasePath } from '../../base/caseUri';
import type { OwnState } from '../files/ownState';

/** The file with the result of a case's last run; undefined for a case outside the workspace. */
export function runRecordUri(caseUri: vscode.Uri): vscode.Uri | undefined {
  const root = vscode.workspace.getWorkspaceFolder(caseUri)?.uri;
  return root && vscode.Uri.joinPath(root, runRecordPath(relativeCasePath(caseUri)));
}

/** Reads the last run of a case, with the absolute paths of its tapes; undefined when it has not run here. Never rejects. */
export async function readLastRun(caseUri: vscode.Uri, own: OwnState): Promise<RunRecord | undefined> {
  const root = vscode.workspace.getWorkspaceFolder(caseUri)?.uri;
  const uri = runRecordUri(caseUri);
  if (root === undefined || uri === undefined) return undefined;
  try {
    const record = readRunRecord(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
    if (record === undefined || !(await own.owns(root, runRecordPath(relativeCasePath(caseUri))))) return undefined;
    return await shownRun(withAbsolutePaths(record, root));
  } catch {
    // It is gone, or cannot be read: then nothing is known of a run.
    return undefined;
  }
}

/** In the language of the window; it is stored in English. */
async function shownRun(record: RunRecord): Promise<RunRecord> {
  if (currentTranslation().language === 'en') return record;
  return (await import('../../../core/runs/shownRun')).shownRun(record);
}

function withAbsolutePaths(record: RunRecord, root: vscode.Uri): RunRecord {
  const failures = record.failures.map((failure) => {
    const { miss, step } = failure;
    const absolute = (path: string): string => vscode.Uri.joinPath(root, path).fsPath;
    return {
      ...failure,
      ...(miss && { miss: { ...miss, tapePath: absolute(miss.tapePath) } }),
      ...(step?.tapePath !== undefined && { step: { ...step, tapePath: absolute(step.tapePath) } }),
    };
  });
  return { ...record, failures };
}
