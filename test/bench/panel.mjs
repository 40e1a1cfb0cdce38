// Two tapes of 1,000 interactions and 20 MB each in a real VS Code, compared in the panel of reviews and, in the same window,
// in VS Code's plain diff editor: how long until the first change is shown.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startCodeServer } from '../harness/vscode/codeServer.mjs';
import { openWorkbench, webviewFrame } from '../harness/vscode/workbench.mjs';
import { INTERACTIONS, tapeText } from './review/tapes.mjs';
import { median, ratios, report } from './rows.mjs';
import { writeOpener } from './transcript/opener.mjs';
import { closeAll, LIMIT, timed } from './transcript/reader.mjs';

const ROUNDS = 5;
const folder = mkdtempSync(join(tmpdir(), 'tapedeck-panel-bench-'));
const workspace = join(folder, 'workspace');
for (const made of [workspace, join(folder, 'user')]) mkdirSync(made);

/** Each round has files of its own: what was compared once is kept. Over lines, as a diff of lines wants them. */
const rounds = Array.from({ length: ROUNDS }, (_, round) => {
  const write = (name, made) => {
    const path = join(workspace, `${name}${round}.tape.json`);
    writeFileSync(path, tapeText({ indent: 1, salt: `${round}`, ...made }));
    return path;
  };
  return { round, old: write('old', {}), now: write('new', { edited: 10, inserted: 5, moved: true }) };
});
const commands = rounds.flatMap(({ round, old, now }) => [
  [`Diff ${round} as Text`, ['vscode.diff', old, { file: now }]],
  [`Diff ${round} as Review`, ['tapedeck.compareSelected', old, [{ file: old }, { file: now }]]],
]);

const server = await startCodeServer({
  version: 'newest',
  workspace,
  userDataDir: join(folder, 'user'),
  extensionsDir: join(folder, 'extensions'),
  settings: { 'workbench.editorLargeFileConfirmation': 1000000 },
});
const extensionDevelopmentPath = [
  resolve(import.meta.dirname, '../..'),
  writeOpener(folder, Object.fromEntries(commands)),
];
const workbench = await openWorkbench({ server, workspace, extensionDevelopmentPath });
const { page } = workbench;
try {
  const marked = page.locator('.monaco-diff-editor').locator('.line-insert, .char-insert, .line-delete, .char-delete');
  const change = () => webviewFrame(page).locator('.monaco-diff-editor .view-line, .plain-diff').first();
  const taken = { text: [], review: [] };
  // An open palette does not learn of commands that are only just loaded.
  await closeAll(page);
  for (const { round } of rounds) {
    taken.text.push(
      await timed(page, `Diff ${round} as Text`, () => marked.first().waitFor({ ...LIMIT, state: 'attached' })),
    );
    await closeAll(page);
    taken.review.push(await timed(page, `Diff ${round} as Review`, () => change().waitFor(LIMIT)));
    await closeAll(page);
  }
  console.log(`\nto the first change, medians of ${ROUNDS}`);
  for (const [name, values] of Object.entries(taken))
    console.log(`  ${name.padEnd(10)} ${median(values).toFixed(0)} ms`);
  const what = `review of ${INTERACTIONS} interactions in the panel, first change`;
  report({ what, of: 'the plain diff editor', values: ratios(taken.review, taken.text), asked: 1 });
} finally {
  await workbench.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
