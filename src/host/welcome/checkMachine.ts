import * as vscode from 'vscode';
import { t } from '../../core/text/l10n';
import { withCancellableProgress } from '../base/progress';
import type { ReportDocuments } from '../base/reportDocuments';
import { requireTrust } from '../base/trust';
import type { EngineClient } from '../engine/engineClient';

export interface MachineParts {
  readonly engine: Pick<EngineClient, 'call'>;
  readonly reports: Pick<ReportDocuments, 'put'>;
  /** The keys in VS Code's secret storage, by environment variable. */
  readonly storedKeys: () => Promise<Readonly<Record<string, string>>>;
}

/** Shows what Tapedeck can use on this machine, and what is missing for what. */
export async function checkMachine({ engine, reports, storedKeys }: MachineParts): Promise<void> {
  requireTrust();
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
  const names = Object.keys(await storedKeys());
  const text = await withCancellableProgress(t('Checking This Machine'), (_, signal) =>
    engine.call('selfCheck', { folder, storedKeys: names }, { signal }),
  );
  await vscode.window.showTextDocument(reports.put('tapedeck-self-check.txt', text), { preview: true });
}
