import * as vscode from 'vscode';
import { HumanError } from './humanError';

/** In Restricted Mode one can look at everything and run nothing. */
export function requireTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new HumanError(
    'Tapedeck runs nothing in Restricted Mode. Trust this workspace to replay, re-record or accept.',
    {
      title: 'Manage Workspace Trust',
      run: () => vscode.commands.executeCommand('workbench.trust.manage'),
    },
  );
}
