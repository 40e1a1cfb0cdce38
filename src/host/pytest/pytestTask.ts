import * as vscode from 'vscode';
import { type PytestMode, type PytestRun, pytestRun, vcrPluginOf } from '../../core/python/pytestRun';
import { nodeId } from '../../core/python/testNames';
import { DisposableStore } from '../base/disposable';
import { fileExists } from '../base/files';
import type { PytestTest } from '../stores/pytestStore';

/** The command that a lens runs for a test. */
export async function pytestRunOf({ file, folder, test, uses }: PytestTest, mode: PytestMode): Promise<PytestRun> {
  const id = nodeId(vscode.workspace.asRelativePath(file, false), test);
  return pytestRun(uses[0]?.recorder ?? 'vcr', id, mode, vcrPluginOf(await requirements(folder)));
}

let started = 0;

/** Runs pytest as a task, which shows its output, and returns its exit code. */
export async function runPytest(folder: vscode.WorkspaceFolder, { args, env }: PytestRun): Promise<number | undefined> {
  const [program, ...before] = await pytestCommand(folder);
  const options = { cwd: folder.uri.fsPath, env: { ...env } };
  const execution = new vscode.ProcessExecution(program, [...before, ...args], options);
  started += 1;
  const run = started;
  const task = new vscode.Task({ type: TASK_TYPE, run }, folder, 'pytest', 'Tapedeck', execution, []);
  task.presentationOptions = {
    reveal: vscode.TaskRevealKind.Always,
    panel: vscode.TaskPanelKind.Dedicated,
    clear: true,
  };
  const owned = new DisposableStore();
  try {
    const ended = new Promise<number | undefined>((resolve) => {
      const isOurs = ({ task: { definition } }: vscode.TaskExecution): boolean =>
        definition.type === TASK_TYPE && definition.run === run;
      owned.add(
        vscode.tasks.onDidEndTaskProcess((event) => {
          if (isOurs(event.execution)) resolve(event.exitCode);
        }),
      );
      // A program that does not exist ends without having been a process.
      owned.add(
        vscode.tasks.onDidEndTask((event) => {
          if (isOurs(event.execution)) setTimeout(resolve, 0, undefined);
        }),
      );
    });
    await vscode.tasks.executeTask(task);
    return await ended;
  } finally {
    owned.dispose();
  }
}

const TASK_TYPE = 'tapedeck.pytest';

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
