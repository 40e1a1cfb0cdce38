import * as vscode from 'vscode';
import type { PytestMode } from '../../core/python/pytestRun';
import { nodeName } from '../../core/python/testNames';
import { t } from '../../core/text/l10n';
import type { PytestTest } from '../stores/pytestStore';
import { pytestRunOf, runPytest } from './pytestTask';
import { existingTapes, setTapeAside } from './testTapes';

/** Runs a test as a task. A recording is confirmed first; where it fails, the previous tapes are restored. */
export async function runTest(test: PytestTest, mode: PytestMode): Promise<void> {
  const run = await pytestRunOf(test, mode);
  if (mode === 'replay') {
    await runPytest(test.folder, run);
    return;
  }
  const tapes = await existingTapes(test);
  if (!(await confirmed(test, tapes, [...run.args].join(' '), run.env))) return;
  const movedTapes = run.needsTapeAside ? await Promise.all(tapes.map((tape) => setTapeAside(tape, test.folder))) : [];
  let exitCode: number | undefined;
  try {
    exitCode = await runPytest(test.folder, run);
  } finally {
    const outcomes = await Promise.all(movedTapes.map((tape) => tape.finish(exitCode === 0)));
    if (outcomes.includes('restored'))
      void vscode.window.showWarningMessage(
        t(
          "pytest did not record {0}, so its previous tape was restored. See the task's terminal for the reason.",
          nodeName(test.test),
        ),
      );
  }
}

async function confirmed(
  { test }: PytestTest,
  tapes: readonly vscode.Uri[],
  args: string,
  env: Readonly<Record<string, string>>,
): Promise<boolean> {
  const record = tapes.length === 0 ? t('Record') : 'Re-record';
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value} `);
  const kept =
    tapes.length === 0
      ? t('There is no tape yet.')
      : t('{0} will be replaced.', tapes.map((tape) => vscode.workspace.asRelativePath(tape)).join(', '));
  const chosen = await vscode.window.showWarningMessage(
    `${record} ${nodeName(test)}?`,
    {
      modal: true,
      detail: t(
        '{0}\n\n{1}pytest {2}\n\nThe test calls the real provider, with the keys in your environment.',
        kept,
        variables.join(''),
        args,
      ),
    },
    record,
  );
  return chosen === record;
}
