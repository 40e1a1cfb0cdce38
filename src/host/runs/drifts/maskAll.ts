import * as vscode from 'vscode';
import { runOutcome } from '../../../core/cases/runSummary';
import { maskedThings } from '../../../core/match/maskWords';
import { counted } from '../../../core/text/counts';
import { t } from '../../../core/text/l10n';
import type { CaseTests } from '../testExplorer/caseTests';
import { type MaskedCase, writeMasks } from './maskEdits';

/** Masks what varies in several cases, and replays them. The notice offers to undo it. */
export async function maskAll(cases: readonly MaskedCase[], tests: CaseTests): Promise<void> {
  const written = await writeMasks(cases);
  if (written === undefined) return;
  const entries = cases.map(({ entry }) => entry);
  const results = await tests.run(entries, 'replay');
  const things = maskedThings([...new Set(cases.flatMap(({ masks }) => masks))]);
  const passed = results.filter((result) => ['passed', 'unchecked'].includes(runOutcome(result))).length;
  const message = counted(
    entries.length,
    'Masked {1} in {0} case. {2} of {0} passed.',
    'Masked {1} in {0} cases. {2} of {0} passed.',
    things,
    passed,
  );
  void offerUndo(message, async () => {
    await written.undo();
    await tests.run(entries, 'replay');
  });
}

async function offerUndo(message: string, undo: () => Promise<void>): Promise<void> {
  if ((await vscode.window.showInformationMessage(message, t('Undo'))) !== undefined) await undo();
}
