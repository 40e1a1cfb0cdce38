import type * as vscode from 'vscode';
import type { ReplayMiss } from '../../core/model/run';
import { formatRetakeCost } from '../../core/prices/cost';
import type { CommandId } from './commands';

/** The argument of the commands that fix a drift. It passes through a link, so it is plain JSON. */
export interface DriftCommandArgument {
  /** The URI of the case. */
  readonly case: string;
  /** The index of the first interaction to record again. */
  readonly at?: number;
  /** As they are written in the case. */
  readonly masks?: readonly string[];
}

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
