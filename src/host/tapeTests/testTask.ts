import * as vscode from 'vscode';
import type { TestMode, TestProgram, TestProject, TestRun } from '../../core/tapeTests/testRun';
import { t } from '../../core/text/l10n';
import { loadCore } from '../../reader/loadCore';
import { fileExists } from '../base/files';
import { HumanError } from '../base/humanError';
import { runTask } from '../base/runTask';
import type { FoundTest } from '../stores/tapes/foundTest';

/** The command that a lens runs for a test. */
export async function testRunOf({ file, folder, test }: FoundTest, mode: TestMode): Promise<TestRun> {
  if (test.select === undefined)
    throw new HumanError(
      t(
        'Tapedeck cannot run this test alone: its title, or that of an enclosing suite, is computed at run time. Run it in a terminal.',
      ),
    );
  const { testRun } = await loadCore();
  return testRun(test, mode, await projectOf(folder, file));
}

/** Runs a test as a task, which shows its output, and returns its exit code. */
export async function runTestTask(
  folder: vscode.WorkspaceFolder,
  run: TestRun,
  env: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  const { cwd, command, args } = await startedTest(folder, run);
  const [program, ...before] = command;
  return runTask({
    folder,
    cwd,
    type: 'tapedeck.test',
    name: run.program,
    program,
    args: [...before, ...args],
    env: { ...run.env, ...env },
  });
}

interface StartedTest {
  readonly cwd: vscode.Uri;
  readonly command: Command;
  readonly args: readonly string[];
}

/** The program that is started for a run, and where. */
export async function startedTest(
  folder: vscode.WorkspaceFolder,
  { program, args, folder: path }: TestRun,
): Promise<StartedTest> {
  const cwd = vscode.Uri.joinPath(folder.uri, path);
  return { cwd, command: await commandOf(folder, program, cwd), args };
}

export type Command = readonly [string, ...string[]];

async function commandOf(folder: vscode.WorkspaceFolder, program: TestProgram, cwd: vscode.Uri): Promise<Command> {
  if (program === 'pytest') return pytestCommand(folder);
  return program === 'go' || program === 'node' ? [program] : installedRunner(folder, program, cwd);
}

/** The command of the setting `tapedeck.pytest`; else the Python of the project's environment, or that on the PATH. */
async function pytestCommand(folder: vscode.WorkspaceFolder): Promise<Command> {
  const set = vscode.workspace.getConfiguration('tapedeck', folder).get<readonly string[]>('pytest', []);
  const [program, ...rest] = set;
  if (program !== undefined) return [program, ...rest];
  for (const path of ['.venv/bin/python', 'venv/bin/python', '.venv/Scripts/python.exe', 'venv/Scripts/python.exe']) {
    const python = vscode.Uri.joinPath(folder.uri, path);
    if (await fileExists(python)) return [python.fsPath, '-m', 'pytest'];
  }
  return [process.platform === 'win32' ? 'python' : 'python3', '-m', 'pytest'];
}

/** The files that these runners are started with, in their packages. */
const ENTRIES: Readonly<Record<'vitest' | 'jest' | 'mocha' | 'playwright', string>> = {
  vitest: 'vitest/vitest.mjs',
  jest: 'jest/bin/jest.js',
  mocha: 'mocha/bin/mocha.js',
  playwright: '@playwright/test/cli.js',
};

/** The runner that is installed for a folder or one around it. Nothing is downloaded. */
async function installedRunner(
  folder: vscode.WorkspaceFolder,
  program: keyof typeof ENTRIES,
  cwd: vscode.Uri,
): Promise<Command> {
  for (const place of foldersUpTo(folder.uri, cwd)) {
    const entry = vscode.Uri.joinPath(place, 'node_modules', ENTRIES[program]);
    if (await fileExists(entry)) return ['node', entry.fsPath];
  }
  throw new HumanError(
    t(
      '{0} is not installed: there is no {1} in {2} or a folder around it. Install the packages of the project, and try again.',
      program,
      `node_modules/${ENTRIES[program].replace(/\/[^/@]*\.m?js$|\/bin\/.*$/, '')}`,
      vscode.workspace.asRelativePath(cwd),
    ),
  );
}

const REQUIREMENTS = [
  'pyproject.toml',
  'requirements.txt',
  'requirements-dev.txt',
  'setup.cfg',
  'setup.py',
  'tox.ini',
  'Pipfile',
];

/** For JavaScript, the folder of the nearest package; else the workspace's folder. */
async function projectOf(folder: vscode.WorkspaceFolder, file: vscode.Uri): Promise<TestProject> {
  if (/\.py$/.test(file.path)) {
    const texts = await Promise.all(REQUIREMENTS.map((name) => textOf(vscode.Uri.joinPath(folder.uri, name))));
    return { folder: '', requirements: texts.join('\n') };
  }
  for (const place of foldersUpTo(folder.uri, vscode.Uri.joinPath(file, '..'))) {
    const manifest = vscode.Uri.joinPath(place, 'package.json');
    if (!(await fileExists(manifest))) continue;
    const path = place.path === folder.uri.path ? '' : vscode.workspace.asRelativePath(place, false);
    return { folder: path, requirements: await textOf(manifest) };
  }
  return { folder: '', requirements: '' };
}

/** A folder and those around it, up to that of the workspace. */
function foldersUpTo(root: vscode.Uri, from: vscode.Uri): readonly vscode.Uri[] {
  if (from.path === root.path || !from.path.startsWith(`${root.path}/`)) return [root];
  return [from, ...foldersUpTo(root, vscode.Uri.joinPath(from, '..'))];
}

async function textOf(uri: vscode.Uri): Promise<string> {
  return vscode.workspace.fs.readFile(uri).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => '',
  );
}
