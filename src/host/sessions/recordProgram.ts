import * as vscode from 'vscode';
import { ownTape } from '../../core/cases/toml/ownTape';
import { relativePath } from '../../core/project/layout';
import { lineOf } from '../../core/text/commandLine';
import type { ClosedSession, OpenedSession } from '../../protocol/proxySessions';
import type { RecordingTarget } from '../../protocol/recordingTargets';
import { confirm, oneLine, type Question } from '../base/confirm';
import { reportError } from '../base/humanError';
import { runTask } from '../base/runTask';
import { newTargets, recordAction, targetSections } from '../engine/recordingTargets';
import { tapeUris } from '../stores/caseEntry';
import { programName } from './programName';
import { offerRecorded, type RecordedProgram } from './recordedProgram';
import type { SessionParts } from './sessions';

export interface Program {
  readonly folder: vscode.WorkspaceFolder;
  readonly words: readonly string[];
}

/** Records a program to a tape of its own, after asking, and says what came of it. Rejects with `CancellationError` when it is declined. */
export async function recordProgram(program: Program, parts: SessionParts): Promise<void> {
  const { engine, keys } = parts;
  const root = program.folder.uri.fsPath;
  const tape = await freeTape(program, parts);
  const targets = await engine.call('sessionTargets', { root, storedKeys: [...keys.names()] });
  if (!(await confirm(questionOf(program, tape, targets)))) throw new vscode.CancellationError();
  const allowed = newTargets(targets);
  if (allowed.length > 0) await engine.call('confirmKeys', { root, targets: allowed });
  const session = await engine.call('openSession', {
    root,
    tape: tape.fsPath,
    mode: 'record',
    keys: await keys.stored(targets.flatMap(({ variable }) => variable ?? [])),
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
  try {
    const run = await runRecorded(program, tape, opened, parts);
    exitCode = run.exitCode;
    outcome = exitCode === 0 || (run.recorded > 0 && (await wantsSaved(program, run))) ? 'save' : 'discard';
  } finally {
    closed = await parts.engine.call('closeSession', { session, outcome });
    await live.end(session, tape, closed.saved !== undefined);
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
  parts: SessionParts,
): Promise<Run> {
  const { engine, log } = parts;
  const [command = '', ...args] = words;
  const title = `Recording ${oneLine(lineOf(words))}`;
  let recorded = 0;
  let showing = Promise.resolve();
  const showLive = async (): Promise<void> => {
    try {
      await (await parts.live()).show(session, tape, await engine.call('sessionTape', { session }));
    } catch (error) {
      void reportError(error, log);
    }
  };
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  const exitCode = await vscode.window.withProgress(options, async (progress, token) => {
    const follow = engine.onSessionEvent((event) => {
      if (event.session !== session || event.recorded === recorded) return;
      recorded = event.recorded;
      progress.report({ message: counted(recorded) });
      showing = showing.then(showLive);
    });
    try {
      const program = programIn(folder, command);
      return await runTask(
        { folder, type: 'tapedeck.record', name: 'Record', program, args, env: variables, focus: true },
        token,
      );
    } finally {
      follow.dispose();
    }
  });
  await showing;
  return { exitCode, recorded };
}

/** A program in the folder is named by its path from there, which only some systems look up. */
function programIn(folder: vscode.WorkspaceFolder, command: string): string {
  const isPath = command.includes('/') && !command.startsWith('/') && !/^[a-z]:/i.test(command);
  return isPath ? vscode.Uri.joinPath(folder.uri, command).fsPath : command;
}

/** A program that is stopped, as a conversation is that has no end, has still been recorded. */
async function wantsSaved({ words }: Program, { exitCode, recorded }: Run): Promise<boolean> {
  const how = exitCode === undefined ? 'was stopped' : `ended with exit code ${exitCode}`;
  const message = `${oneLine(lineOf(words))} ${how} after ${counted(recorded)}.`;
  return (await vscode.window.showWarningMessage(message, 'Save Recording', 'Discard')) === 'Save Recording';
}

function counted(interactions: number): string {
  return `${interactions} interaction${interactions === 1 ? '' : 's'}`;
}

function questionOf({ folder, words }: Program, tape: vscode.Uri, targets: readonly RecordingTarget[]): Question {
  const name = oneLine(lineOf(words));
  const callers = [{ name, targets }];
  return {
    title: `Record ${name}?`,
    ...recordAction(callers, 'Record'),
    sections: [
      { lines: [`The program runs in ${folder.name}, and calls its own models; their providers may charge for it.`] },
      ...targetSections(callers),
      { title: 'Tape:', lines: [`${oneLine(vscode.workspace.asRelativePath(tape, false))} will be created.`] },
    ],
  };
}

/** A tape that there is not yet, named after what is run. */
async function freeTape({ folder, words }: Program, { stores: { cases, tapes } }: SessionParts): Promise<vscode.Uri> {
  await Promise.all([cases.load(), tapes.load()]);
  const fromRoot = (uri: vscode.Uri): string => relativePath(folder.uri.path, uri.path);
  const isHere = (uri: vscode.Uri): boolean => uri.path.startsWith(`${folder.uri.path}/`);
  const path = ownTape(
    {
      name: programName(words),
      tapes: tapes.uris().filter(isHere).map(fromRoot),
      takenTapes: cases.all().flatMap(tapeUris).filter(isHere).map(fromRoot),
      isAtRoot: true,
    },
    'tape.jsonl',
  );
  return vscode.Uri.joinPath(folder.uri, path);
}
