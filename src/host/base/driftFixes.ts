import type * as vscode from 'vscode';
import type { ReplayMiss } from '../../core/model/run';
import { formatRetakeCost } from '../../core/prices/cost';
import type { CommandId } from './commands';

/** Of which case, and what of it: the arguments of the commands that fix a drift. They pass through a link. */
export interface DriftCommandArgument {
  readonly case: string;
  /** The first interaction that is recorded anew, from 0. */
  readonly at?: number;
  /** As the case is to write them. */
  readonly masks?: readonly string[];
}

/** Something that can be done about a drift. */
export interface DriftFix {
  readonly title: string;
  readonly command: Extract<CommandId, 'tapedeck.addMasks' | 'tapedeck.recordFromHere'>;
  readonly argument: DriftCommandArgument;
}

/** What can be done about a request of a case that has no recording; the same wherever the drift is told. */
export function driftFixes({ masks, retake, at }: ReplayMiss, caseUri: vscode.Uri): readonly DriftFix[] {
  const of = caseUri.toString();
  const mask: DriftFix = {
    title: `Mask this (${masks.length})`,
    command: 'tapedeck.addMasks',
    argument: { case: of, masks },
  };
  return [
    ...(masks.length > 0 ? [mask] : []),
    {
      title: `Re-record from here (${formatRetakeCost(retake)})`,
      command: 'tapedeck.recordFromHere',
      argument: { case: of, at },
    },
    { title: 'Re-record all', command: 'tapedeck.recordFromHere', argument: { case: of } },
  ];
}
