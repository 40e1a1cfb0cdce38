import * as vscode from 'vscode';
import { requireTapeUri } from '../base/commandArguments';
import { registerCommand } from '../base/commands';
import type { Log } from '../base/log';
import type { ReviewAddress } from '../stores/reviewAddress';
import type { ComparisonChoice } from './chooseComparison';
import { activeFileAddress } from './queueCommands';

/** Registers the comparisons of any two recordings, which the panel of reviews shows. The engine makes them. */
export function registerComparisons(
  choice: ComparisonChoice,
  open: (address: ReviewAddress) => void,
  log: Log,
): vscode.Disposable {
  const load = () => import('./chooseComparison');
  return vscode.Disposable.from(
    registerCommand('tapedeck.compareWith', log, async (argument) => {
      const uri = argument.type === 'none' ? activeFileAddress().uri : requireTapeUri(argument, undefined);
      open(await (await load()).chooseComparison(uri, choice));
    }),
    registerCommand('tapedeck.compareSelected', log, async (_, selected) =>
      open((await load()).comparisonOfSelected(selected)),
    ),
  );
}
