import * as vscode from 'vscode';
import { runOutcome } from '../../core/cases/runSummary';
import { maskedThings } from '../../core/match/maskWords';
import type { CaseTests } from './caseTests';
import { type MaskedCase, writeMasks } from './maskEdits';

/** Masks what varies in several cases, and replays them. The notice offers to undo it. */
export async function maskAll(cases: readonly MaskedCase[], tests: CaseTests): Promise<void> {
  const written = await writeMasks(cases);
  if (written === undefined) return;
  const entries = cases.map(({ entry }) => entry);
  const results = await tests.run(entries, 'replay');
  const things = maskedThings([...new Set(cases.flatMap(({ masks }) => masks))]);
  const passed = results.filter((result) => ['passed', 'unchecked'].includes(runOutcome(result))).length;
  const noun = entries.length === 1 ? 'case' : 'cases';
  const message = `Masked ${things} in ${entries.length} ${noun}. ${passed} of ${entries.length} passed.`;
  void offerUndo(message, async () => {
    await written.undo();
    await tests.run(entries, 'replay');
  });
}

async function offerUndo(message: string, undo: () => Promise<void>): Promise<void> {
  if ((await vscode.window.showInformationMessage(message, 'Undo')) !== undefined) await undo();
}
