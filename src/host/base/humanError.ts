import * as vscode from 'vscode';
import { t } from '../../core/text/l10n';
import type { Log } from './log';

/** An error whose message is meant for the user, with at most one action to fix it. */
export class HumanError extends Error {
  constructor(
    message: string,
    readonly action?: { readonly title: string; run(): unknown },
  ) {
    super(message);
    this.name = 'HumanError';
  }
}

/** Shows an error once. Any but a `HumanError` is a bug: it is logged with its stack, and the message links to it. */
export async function reportError(error: unknown, log: Log): Promise<void> {
  if (error instanceof vscode.CancellationError) return;
  if (error instanceof HumanError) {
    log.warn(error.message);
    const chosen = await vscode.window.showErrorMessage(error.message, ...(error.action ? [error.action.title] : []));
    if (chosen !== undefined) await error.action?.run();
    return;
  }
  log.error(error instanceof Error ? error : String(error));
  const text = error instanceof Error ? error.message : String(error);
  const chosen = await vscode.window.showErrorMessage(`Tapedeck: ${text}`, t('Show Log'));
  if (chosen !== undefined) log.show();
}
