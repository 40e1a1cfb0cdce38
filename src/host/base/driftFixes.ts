import type * as vscode from 'vscode';
import type { ReplayMiss } from '../../core/model/run';
import { formatRetakeCost } from '../../core/prices/formatRetakeCost';
import type { DriftCommandArgument } from './commandArguments';
import type { CommandId } from './commands';

/** A command that fixes a drift. */
export interface DriftFix {
  readonly title: string;
  readonly command: Extract<CommandId, 'tapedeck.addMasks' | 'tapedeck.recordFromHere'>;
  readonly argument: DriftCommandArgument;
}

/** The fixes for a request of a case that has no recording, the same wherever the drift is shown. */
export function driftFixes({ masks, retake, at }: ReplayMiss, caseUri: vscode.Uri): readonly DriftFix[] {
  const uri = caseUri.toString();
  const mask: DriftFix = {
    title: `Mask this (${masks.length})`,
    command: 'tapedeck.addMasks',
    argument: { case: uri, masks },
  };
  return [
    ...(masks.length > 0 ? [mask] : []),
    {
      title: `Re-record from here (${formatRetakeCost(retake)})`,
      command: 'tapedeck.recordFromHere',
      argument: { case: uri, at },
    },
    { title: 'Re-record all', command: 'tapedeck.recordFromHere', argument: { case: uri } },
  ];
}
