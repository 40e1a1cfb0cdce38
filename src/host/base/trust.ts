import * as vscode from 'vscode';
import { HumanError } from './humanError';

/** Throws in Restricted Mode, where everything can be viewed but nothing can be run. */
export function requireTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new HumanError(
    'Tapedeck does not run anything in Restricted Mode. Trust this workspace to replay, re-record or accept.',
    {
      title: 'Manage Workspace Trust',
      run: () => vscode.commands.executeCommand('workbench.trust.manage'),
    },
  );
}
