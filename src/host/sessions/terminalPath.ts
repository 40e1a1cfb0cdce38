import * as vscode from 'vscode';
import { t } from '../../core/text/l10n';

/**
 * Puts `tapedeck`, the command line of this extension, at the end of the PATH of new terminals: one that the user has installed
 * comes first. Call it only in a trusted workspace.
 */
export function offerInTerminals({
  environmentVariableCollection: variables,
  extensionUri,
}: Pick<vscode.ExtensionContext, 'environmentVariableCollection' | 'extensionUri'>): void {
  const folder = vscode.Uri.joinPath(extensionUri, 'dist', 'bin').fsPath;
  const separator = process.platform === 'win32' ? ';' : ':';
  variables.description = t('Adds the `tapedeck` command.');
  variables.append('PATH', `${separator}${folder}`);
  variables.replace('TAPEDECK_NODE', process.execPath);
}
