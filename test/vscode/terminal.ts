import * as vscode from 'vscode';

let isTerminalThere: Promise<boolean> | undefined;

/** Do terminals and tasks run here? Not in the oldest code-server, whose terminal is compiled at installation, which is left out. */
export function hasTerminal(): Promise<boolean> {
  isTerminalThere ??= endsTask();
  return isTerminalThere;
}

/** Whether a task comes to its end. */
async function endsTask(): Promise<boolean> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const execution = new vscode.ProcessExecution(process.execPath, ['--version']);
  const task = new vscode.Task(
    { type: 'probe' },
    folder ?? vscode.TaskScope.Workspace,
    'probe',
    'probe',
    execution,
    [],
  );
  const ended = new Promise<boolean>((resolve) => {
    vscode.tasks.onDidEndTaskProcess(
      ({
        execution: {
          task: { name },
        },
      }) => name === 'probe' && resolve(true),
    );
    setTimeout(resolve, 15_000, false);
  });
  await vscode.tasks.executeTask(task);
  return ended;
}
