import * as vscode from 'vscode';
import type { MendParams, ShownDrift } from '../../protocol/transcriptDrift';
import { driftMends } from '../base/driftMends';
import { tapeReading } from '../base/tapeReading';
import type { TapeDrift } from '../stores/driftStore';

/** A drift as the page shows it. */
export async function showDrift({ caseUri, caseName, failure }: TapeDrift): Promise<ShownDrift> {
  const { message, expected, actual, miss } = failure;
  const { diffText } = await tapeReading();
  return {
    interaction: miss.nearest ?? Math.max(0, Math.min(miss.at, miss.recorded - 1)),
    ...{ caseName, message },
    diff: expected === undefined || actual === undefined ? [] : diffText(expected, actual),
    mends: driftMends(miss, caseUri).map(({ title }) => title),
  };
}

/** What the page asks for is one of what it was shown. */
export async function mendDrift(drifts: readonly TapeDrift[], { drift, mend }: MendParams): Promise<void> {
  const found = drifts[drift];
  const wanted = found && driftMends(found.failure.miss, found.caseUri)[mend];
  if (wanted === undefined) throw new Error('This drift is not there any more: the case has been run again.');
  await vscode.commands.executeCommand(wanted.command, wanted.argument);
}
