import * as vscode from 'vscode';
import type { ClosedSession, OpenedSession } from '../../contracts/engine/proxySessions';
import { lineOf } from '../../core/text/commandLine';
import { plural } from '../../core/text/counts';
import { t } from '../../core/text/l10n';
import { oneLine } from '../base/confirm';
import { runTask } from '../base/runTask';
import { askToRecord } from './askToRecord';
import { followSession } from './followSession';
import { freeTape } from './freeTape';
import { offerRecorded } from './offerRecorded';
import { programName } from './programName';
import type { SessionParts } from './sessionParts';
import type { RecordedProgram, TapedProgram } from './tapedProgram';

type Program = Omit<TapedProgram, 'tape'>;

/** Records a program to a tape of its own, after asking, and says what came of it. Rejects with `CancellationError` when it is declined. */
export async function recordProgram(program: Program, parts: SessionParts): Promise<void> {
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
