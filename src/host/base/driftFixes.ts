import type * as vscode from 'vscode';
import { maskTitle } from '../../core/match/maskWords';
import type { ReplayMiss } from '../../core/model/run';
import { formatRetakeCost } from '../../core/prices/formatRetakeCost';
import { t } from '../../core/text/l10n';
import type { DriftCommandArgument } from './commandArguments';
import type { CommandId } from './commands';

/** A command that fixes a drift. */
export interface DriftFix {
  readonly title: string;
  /** What it costs, where it calls a provider. */
  readonly cost?: string;
  readonly command: Extract<CommandId, 'tapedeck.addMasks' | 'tapedeck.recordFromHere'>;
  readonly argument: DriftCommandArgument;
}

/** The fixes for a request of a case that has no recording, the best first, the same wherever the drift is shown. */
export function driftFixes({ masks, retake, at }: ReplayMiss, caseUri: vscode.Uri): readonly DriftFix[] {
  const uri = caseUri.toString();
  const mask: DriftFix = {
    title: maskTitle(masks),
    command: 'tapedeck.addMasks',
    argument: { case: uri, masks },
  };
  const record = { command: 'tapedeck.recordFromHere', cost: formatRetakeCost(retake) } as const;
  return [
    ...(masks.length > 0 ? [mask] : []),
    { ...record, title: t('Re-record from #{0}', at + 1), argument: { case: uri, at } },
    ...(at > 0 ? [{ title: t('Re-record All'), command: record.command, argument: { case: uri } }] : []),
  ];
}

/** The title of a fix with its cost, where there is room for it. */
export function fixTitle({ title, cost }: DriftFix): string {
  return cost === undefined ? title : `${title} (${cost})`;
}
