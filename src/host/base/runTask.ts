import * as vscode from 'vscode';
import { DisposableStore } from './disposable';

interface ProgramTask {
  readonly folder: vscode.WorkspaceFolder;
  /** Where it runs; the folder by default. */
  readonly cwd?: vscode.Uri;
  /** Of the definition, as in `taskDefinitions`. */
  readonly type: string;
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether it gets the keyboard, because it may ask for something. */
  readonly focus?: boolean;
}

let started = 0;

/** Runs a program as a task, which shows its output and takes input, and returns its exit code; undefined if it had none. */
export async function runTask(
  { folder, cwd = folder.uri, type, name, program, args, env, focus = false }: ProgramTask,
  token?: vscode.CancellationToken,
): Promise<number | undefined> {
  const execution = new vscode.ProcessExecution(program, [...args], { cwd: cwd.fsPath, env: { ...env } });
  started += 1;
  const run = started;
  const task = new vscode.Task({ type, run }, folder, name, 'Tapedeck', execution, []);
  task.presentationOptions = {
    reveal: vscode.TaskRevealKind.Always,
    panel: vscode.TaskPanelKind.Dedicated,
    clear: true,
    focus,
  };
  const owned = new DisposableStore();
  try {
    const ended = new Promise<number | undefined>((resolve) => {
      const isOurs = ({ task: { definition } }: vscode.TaskExecution): boolean =>
        definition.type === type && definition.run === run;
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
    const running = await vscode.tasks.executeTask(task);
    if (token !== undefined) owned.add(token.onCancellationRequested(() => running.terminate()));
    return await ended;
  } finally {
    owned.dispose();
  }
}
