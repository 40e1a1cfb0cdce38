import * as vscode from 'vscode';
import { t } from '../../core/text/l10n';
import { HumanError } from './humanError';

/** Throws in Restricted Mode, where everything can be viewed but nothing can be run. */
export function requireTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new HumanError(
    t('Tapedeck does not run anything in Restricted Mode. Trust this workspace to replay, re-record or accept.'),
    {
      title: t('Manage Workspace Trust'),
      run: () => vscode.commands.executeCommand('workbench.trust.manage'),
    },
  );
}
