import * as vscode from 'vscode';
import { registerCommand } from '../base/commands';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import type { DifferenceServices } from './shownDifference';

/** Registers the command in the peek view of a failed case that accepts the difference into the baseline. */
export function registerAcceptDifference(services: DifferenceServices, log: Log): vscode.Disposable {
  return registerCommand('tapedeck.acceptBaseline', log, async (argument) => {
    if (argument.type !== 'failedTest' || argument.failure.message === undefined)
      throw new HumanError(
        'No difference is selected. Accept one in the result of a failed case, in the Test Explorer.',
      );
    const { testId, message } = argument.failure;
    const { acceptShown } = await import('./shownDifference');
    await acceptShown(vscode.Uri.parse(testId, true), message, services);
  });
}
