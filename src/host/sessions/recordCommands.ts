import * as vscode from 'vscode';
import type { ClosedSession, OpenedSession } from '../../contracts/engine/proxySessions';
import { accepts } from '../../core/schema/accepts';
import { shape, trusted } from '../../core/schema/schema';
import { lineOf } from '../../core/text/commandLine';
import { plural } from '../../core/text/counts';
import { t } from '../../core/text/l10n';
import { callable, uri } from '../base/apiValues';
import { chooseFolder } from '../base/chooseFolder';
import type { CommandArgument } from '../base/commandArguments';
import { oneLine } from '../base/confirm';
import { fileExists } from '../base/files';
import { HumanError } from '../base/humanError';
import { runTask } from '../base/runTask';
import { askToRecord } from './askToRecord';
import { followSession } from './followSession';
import { freeTape } from './freeTape';
import { offerRecorded } from './offerRecorded';
import { programName } from './programName';
import type { SessionParts } from './sessionParts';
import { shellLineWords } from './shellLine';
import type { RecordedProgram, TapedProgram } from './tapedProgram';

const HISTORY = 'tapedeck.recordedCommands';
const KEPT = 10;

/** Records the script that is selected in the Explorer, or open in the active editor. */
export async function recordScript(argument: CommandArgument, parts: SessionParts): Promise<void> {
  const script = argument.type === 'uri' ? argument.uri : vscode.window.activeTextEditor?.document.uri;
  if (script === undefined) throw new HumanError(t('No script is selected. Open one, or select one in the Explorer.'));
  const folder = vscode.workspace.getWorkspaceFolder(script);
  if (folder === undefined || script.scheme !== 'file')
    throw new HumanError(t('This script is in no folder of the workspace. Open its folder to record it.'), {
      title: t('Open Folder'),
      run: () => vscode.commands.executeCommand('workbench.action.files.openFolder'),
    });
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === script.toString());
  if (open?.isDirty) await open.save();
  const words = await scriptWords(script, folder);
  await remember(lineOf(words), parts);
  await recordProgram({ folder, words }, parts);
}

/** Records a command that the user types, or chooses among the last ones. */
export async function recordChosenCommand(parts: SessionParts): Promise<void> {
  const folder = await chooseFolder(t('Open a folder first: the tape is saved in it.'));
  const line = await askCommand(history(parts));
  await remember(line, parts);
  await recordProgram({ folder, words: shellLineWords(line) }, parts);
}

function history({ context }: SessionParts): readonly string[] {
  return context.workspaceState.get<readonly string[]>(HISTORY, []);
}

async function remember(line: string, parts: SessionParts): Promise<void> {
  const all = [line, ...history(parts).filter((other) => other !== line)];
  await parts.context.workspaceState.update(HISTORY, all.slice(0, KEPT));
}

function askCommand(last: readonly string[]): Promise<string> {
  const picker = vscode.window.createQuickPick();
  picker.title = t('Record a Command');
  picker.placeholder = t('The command that starts your agent, such as python3 agent.py');
  picker.ignoreFocusOut = true;
  const list = (): void => {
    const typed = picker.value.trim();
    const others = last
      .filter((line) => line !== typed)
      .map((label) => ({ label, iconPath: new vscode.ThemeIcon('history') }));
    const own = { label: typed, description: t('Record'), iconPath: new vscode.ThemeIcon('record'), alwaysShow: true };
    picker.items = typed === '' ? others : [own, ...others];
  };
  list();
  picker.onDidChangeValue(list);
  return new Promise<string>((resolve, reject) => {
    picker.onDidAccept(() => {
      const line = picker.activeItems[0]?.label;
      if (line !== undefined) resolve(line);
    });
    picker.onDidHide(() => reject(new vscode.CancellationError()));
    picker.show();
  }).finally(() => picker.dispose());
}

const isWindows = process.platform === 'win32';

/** The words of the command that runs a script in its workspace folder, as a case can name them: paths in the folder are relative. */
async function scriptWords(script: vscode.Uri, folder: vscode.WorkspaceFolder): Promise<readonly string[]> {
  const path = vscode.workspace.asRelativePath(script, false);
  const [extension] = /\.\w+$/.exec(path.toLowerCase()) ?? [''];
  switch (extension) {
    case '.py':
      return [await pythonOf(script, folder), path];
    case '.js':
    case '.mjs':
    case '.cjs':
      return ['node', path];
    case '.ts':
    case '.mts':
    case '.cts':
      return ['npx', 'tsx', path];
    case '.sh':
      return ['bash', path];
  }
  if (await startsWithInterpreter(script)) return [path.includes('/') ? path : `./${path}`];
  throw new HumanError(
    t('Tapedeck does not know what runs {0}. Record the command that you would type instead.', path),
    {
      title: t('Record a Command…'),
      run: () => vscode.commands.executeCommand('tapedeck.recordCommand'),
    },
  );
}

async function startsWithInterpreter(script: vscode.Uri): Promise<boolean> {
  const bytes = await vscode.workspace.fs.readFile(script);
  return (
    (bytes[0] === 0x23 && bytes[1] === 0x21) || (bytes[0] === 0x7f && bytes[1] === 0x45) || /\.exe$/i.test(script.path)
  );
}

/** The interpreter that the Python extension has for the script; else that of the folder's own environment, or of the PATH. */
async function pythonOf(script: vscode.Uri, folder: vscode.WorkspaceFolder): Promise<string> {
  const chosen = await chosenPython(script);
  if (chosen !== undefined) return inFolder(chosen, folder);
  for (const path of ['.venv/bin/python', 'venv/bin/python', '.venv/Scripts/python.exe', 'venv/Scripts/python.exe'])
    if (await fileExists(vscode.Uri.joinPath(folder.uri, path))) return path;
  return isWindows ? 'python' : 'python3';
}

function inFolder(file: string, folder: vscode.WorkspaceFolder): string {
  const uri = vscode.Uri.file(file);
  const isInside = uri.path.startsWith(`${folder.uri.path}/`);
  return isInside ? uri.path.slice(folder.uri.path.length + 1) : file;
}

/** The part of the Python extension's API that is used here. */
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(script: vscode.Uri): { readonly path: string };
    resolveEnvironment(path: { readonly path: string }): Promise<unknown>;
  };
}

const PYTHON_API = trusted<PythonApi>(
  shape({ environments: shape({ getActiveEnvironmentPath: callable, resolveEnvironment: callable }) }),
);

/** A virtual environment. */
const RESOLVED = shape({ environment: trusted<unknown>(), executable: shape({ uri }) });

/** Undefined if there is no such extension, or no virtual environment is chosen in it. */
async function chosenPython(script: vscode.Uri): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<unknown>('ms-python.python');
  if (extension === undefined) return undefined;
  const api = await extension.activate();
  if (!accepts(PYTHON_API, api)) return undefined;
  const { environments } = api;
  const resolved = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(script));
  return accepts(RESOLVED, resolved) ? resolved.executable.uri.fsPath : undefined;
}

type Program = Omit<TapedProgram, 'tape'>;

/** Records a program to a tape of its own, after asking, and says what came of it. Rejects with `CancellationError` when it is declined. */
async function recordProgram(program: Program, parts: SessionParts): Promise<void> {
  const tape = await freeTape({ folder: program.folder, name: programName(program.words) }, parts.stores);
  const { keys } = await askToRecord({ ...program, tape }, parts);
  const session = await parts.engine.call('openSession', {
    root: program.folder.uri.fsPath,
    tape: tape.fsPath,
    mode: 'record',
    keys,
    command: program.words,
  });
  const recorded = await record(program, tape, session, parts);
  await offerRecorded(recorded, parts);
}

async function record(
  program: Program,
  tape: vscode.Uri,
  opened: OpenedSession,
  parts: SessionParts,
): Promise<RecordedProgram> {
  const live = await parts.live();
  const { session } = opened;
  let outcome: 'save' | 'discard' = 'discard';
  let closed: ClosedSession | undefined;
  let exitCode: number | undefined;
  const holds = await parts.following();
  const stopped = new vscode.CancellationTokenSource();
  try {
    await holds.follow({ session, tape, mode: 'record', stop: () => stopped.cancel() });
    const run = await runRecorded(program, tape, opened, stopped, parts);
    exitCode = run.exitCode;
    outcome = exitCode === 0 || (run.recorded > 0 && (await wantsSaved(program, run))) ? 'save' : 'discard';
  } finally {
    holds.end(session);
    closed = await parts.engine.call('closeSession', { session, outcome });
    await live.end(session, tape, closed.saved !== undefined);
    stopped.dispose();
  }
  return { ...program, tape, exitCode, closed };
}

interface Run {
  readonly exitCode: number | undefined;
  readonly recorded: number;
}

/** Runs the program as a task, with a notification that counts its interactions and ends it. */
async function runRecorded(
  { folder, words }: Program,
  tape: vscode.Uri,
  { session, variables }: OpenedSession,
  stopped: vscode.CancellationTokenSource,
  parts: SessionParts,
): Promise<Run> {
  const [command = '', ...args] = words;
  const title = t('Recording {0}', oneLine(lineOf(words)));
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    token.onCancellationRequested(() => stopped.cancel());
    const onRecorded = (count: number): void => progress.report({ message: plural(count, 'interaction') });
    const followed = followSession({ session, tape, onRecorded }, parts);
    try {
      const program = programIn(folder, command);
      const task = { folder, type: 'tapedeck.record', name: t('Record'), program, args, env: variables, focus: true };
      const exitCode = await runTask(task, stopped.token);
      return { exitCode, recorded: followed.recorded };
    } finally {
      await followed.end();
    }
  });
}

/** A program in the folder is named by its path from there, which only some systems look up. */
function programIn(folder: vscode.WorkspaceFolder, command: string): string {
  const isPath = command.includes('/') && !command.startsWith('/') && !/^[a-z]:/i.test(command);
  return isPath ? vscode.Uri.joinPath(folder.uri, command).fsPath : command;
}

/** A program that is stopped, as a conversation is that has no end, has still been recorded. */
async function wantsSaved({ words }: Program, { exitCode, recorded }: Run): Promise<boolean> {
  const line = oneLine(lineOf(words));
  const count = plural(recorded, 'interaction');
  const message =
    exitCode === undefined
      ? t('{0} was stopped after {1}.', line, count)
      : t('{0} ended with exit code {1} after {2}.', line, exitCode, count);
  return (await vscode.window.showWarningMessage(message, t('Save Recording'), t('Discard'))) === t('Save Recording');
}
