import * as vscode from 'vscode';
import type { TestMode, TestRun } from '../../core/tapeTests/testRun';
import { t } from '../../core/text/l10n';
import { HumanError } from '../base/humanError';
import type { FoundTest } from '../stores/tapes/foundTest';
import type { TapeStore } from '../stores/tapes/tapeStore';
import { followTest } from './testResults';
import { canRecord, existingTapes, hasUnknownTape, setTapeAside } from './testTapes';
import { runTestTask, testRunOf } from './testTask';

/** Runs a test as a task. A recording is confirmed first; if it fails, the previous tapes are restored. */
export async function runTest(
  found: FoundTest,
  mode: TestMode,
  { tapes, storage }: { readonly tapes: TapeStore; readonly storage: vscode.Uri },
): Promise<void> {
  const run = await testRunOf(found, mode);
  if (mode === 'replay') {
    await followTest(storage, (env) => runTestTask(found.folder, run, env));
    return;
  }
  if (!canRecord(found.test))
    throw new HumanError(
      t(
        'Running {0} does not record its tape: such fixtures are written by hand or recorded separately.',
        found.test.name,
      ),
    );
  const existing = await existingTapes(found, tapes);
  if (!(await confirmed(found, existing, run))) return;
  const moved = run.needsTapeAside ? await Promise.all(existing.map((tape) => setTapeAside(tape, found.folder))) : [];
  let exitCode: number | undefined;
  try {
    exitCode = await runTestTask(found.folder, run);
  } finally {
    const outcomes = await Promise.all(moved.map((tape) => tape.finish(exitCode === 0)));
    if (outcomes.includes('restored'))
      void vscode.window.showWarningMessage(
        t(
          "{0} did not record {1}, so its previous tape was restored. See the task's terminal for the reason.",
          run.program,
          found.test.name,
        ),
      );
  }
}

async function confirmed(found: FoundTest, existing: readonly vscode.Uri[], run: TestRun): Promise<boolean> {
  const record = existing.length === 0 ? t('Record') : t('Re-record');
  const variables = Object.entries(run.env).map(([name, value]) => `${name}=${value} `);
  const chosen = await vscode.window.showWarningMessage(
    `${record} "${found.test.name}"?`,
    {
      modal: true,
      detail: t(
        '{0}\n\n{1}\n\nThe test calls the real provider, with the keys in your environment.',
        replaced(found, existing),
        `${variables.join('')}${run.program} ${run.args.join(' ')}`,
      ),
    },
    record,
  );
  return chosen === record;
}

function replaced({ test }: FoundTest, existing: readonly vscode.Uri[]): string {
  if (existing.length > 0)
    return t('{0} will be replaced.', existing.map((tape) => vscode.workspace.asRelativePath(tape)).join(', '));
  return hasUnknownTape(test)
    ? t('The name of its tape is computed at run time, so Tapedeck does not know which one it is.')
    : t('There is no tape yet.');
}
