import * as vscode from 'vscode';
import type { ResourceNode } from '../base/commandArguments';
import { registerCommand } from '../base/commands';
import type { Log } from '../base/log';
import type { ReviewAddress } from '../stores/reviews/reviewAddress';
import type { ComparisonChoice } from './chooseComparison';
import { activeFileAddress } from './queueCommands';

interface ComparisonParts extends ComparisonChoice {
  /** The rows that are selected in the tree. */
  readonly selected: () => readonly ResourceNode[];
  readonly open: (address: ReviewAddress) => void;
  readonly log: Log;
}

/** Registers the comparisons of any two recordings, which the panel of reviews shows. The engine makes them. */
export function registerComparisons(parts: ComparisonParts): vscode.Disposable {
  const { selected, open, log } = parts;
  const load = () => import('./chooseComparison');
  return vscode.Disposable.from(
    registerCommand('tapedeck.compareWith', log, async (argument) => {
      const { chooseComparison, recordingOf } = await load();
      const recording = recordingOf(argument) ?? recordingOf({ type: 'uri', uri: activeFileAddress().uri });
      if (recording !== undefined) open(await chooseComparison(recording, parts));
    }),
    registerCommand('tapedeck.compareSelected', log, async (_, given) =>
      open((await load()).comparisonOfSelected(Array.isArray(given) && given.length > 0 ? given : selected())),
    ),
  );
}
