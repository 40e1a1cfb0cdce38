import * as vscode from 'vscode';
import { t } from '../../core/text/l10n';
import { withCancellableProgress } from '../base/progress';
import type { ReportDocuments } from '../base/reportDocuments';
import { requireTrust } from '../base/trust';
import type { EngineClient } from '../engine/engineClient';

export interface AboutParts {
  readonly engine: Pick<EngineClient, 'call'>;
  readonly reports: Pick<ReportDocuments, 'put'>;
}

/** Opens the manual that comes with this version. It is the project's README, which is packaged under another name. */
export async function openManual({ extensionUri, extensionMode }: ManualPlace): Promise<void> {
  const isPackaged = extensionMode === vscode.ExtensionMode.Production;
  const manual = vscode.Uri.joinPath(extensionUri, isPackaged ? 'MANUAL.md' : 'README.md');
  await vscode.commands.executeCommand('markdown.showPreview', manual);
}

export type ManualPlace = Pick<vscode.ExtensionContext, 'extensionUri' | 'extensionMode'>;

/** Shows what of this machine Tapedeck can use, and what is missing for what. */
export async function checkMachine({ engine, reports }: AboutParts): Promise<void> {
  requireTrust();
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
  const text = await withCancellableProgress(t('Checking This Machine'), (_, signal) =>
    engine.call('selfCheck', { folder }, { signal }),
  );
  await vscode.window.showTextDocument(reports.put('tapedeck-self-check.txt', text), { preview: true });
}
