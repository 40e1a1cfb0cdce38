import * as vscode from 'vscode';
import { type PytestMode, type PytestRun, pytestRun, vcrPluginOf } from '../../core/python/pytestRun';
import { nodeId } from '../../core/python/testNames';
import { fileExists } from '../base/files';
import { runTask } from '../base/runTask';
import type { PytestTest } from '../stores/pytestStore';

/** The command that a lens runs for a test. */
export async function pytestRunOf({ file, folder, test, uses }: PytestTest, mode: PytestMode): Promise<PytestRun> {
  const id = nodeId(vscode.workspace.asRelativePath(file, false), test);
  return pytestRun(uses[0]?.recorder ?? 'vcr', id, mode, vcrPluginOf(await requirements(folder)));
}

/** Runs pytest as a task, which shows its output, and returns its exit code. */
export async function runPytest(folder: vscode.WorkspaceFolder, { args, env }: PytestRun): Promise<number | undefined> {
  const [program, ...before] = await pytestCommand(folder);
  return runTask({ folder, type: 'tapedeck.pytest', name: 'pytest', program, args: [...before, ...args], env });
}

/** The command of the setting `tapedeck.pytest`; else the Python of the project's environment, or that on the PATH. */
async function pytestCommand(folder: vscode.WorkspaceFolder): Promise<readonly [string, ...string[]]> {
  const set = vscode.workspace.getConfiguration('tapedeck', folder).get<readonly string[]>('pytest', []);
  const [program, ...rest] = set;
  if (program !== undefined) return [program, ...rest];
  for (const path of ['.venv/bin/python', 'venv/bin/python', '.venv/Scripts/python.exe', 'venv/Scripts/python.exe']) {
    const python = vscode.Uri.joinPath(folder.uri, path);
    if (await fileExists(python)) return [python.fsPath, '-m', 'pytest'];
  }
  return [process.platform === 'win32' ? 'python' : 'python3', '-m', 'pytest'];
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

async function requirements(folder: vscode.WorkspaceFolder): Promise<string> {
  const texts = await Promise.all(
    REQUIREMENTS.map((name) =>
      vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder.uri, name)).then(
        (bytes) => new TextDecoder().decode(bytes),
        () => '',
      ),
    ),
  );
  return texts.join('\n');
}
