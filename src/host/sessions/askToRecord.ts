import * as vscode from 'vscode';
import type { RecordingTarget } from '../../contracts/engine/recordingTargets';
import type { RetakeCost } from '../../core/model/run';
import { formatDatedCost } from '../../core/prices/formatRetakeCost';
import { lineOf } from '../../core/text/commandLine';
import { t } from '../../core/text/l10n';
import { confirm, oneLine, type Question } from '../base/confirm';
import { fileExists } from '../base/files';
import { newTargets, recordAction, targetSections } from '../engine/recordingTargets';
import type { SessionParts } from './sessionParts';
import type { TapedProgram } from './tapedProgram';

/** What the user has agreed to: the stored keys that the recording sends, by their variables. */
export interface AskedRecording {
  readonly keys: Readonly<Record<string, string>>;
}

/** Asks for the recording of a program, with the hosts that it sends keys to. Rejects with `CancellationError` when it is declined. */
export async function askToRecord(
  program: TapedProgram,
  { engine, keys }: Pick<SessionParts, 'engine' | 'keys'>,
): Promise<AskedRecording> {
  const root = program.folder.uri.fsPath;
  const targets = await engine.call('sessionTargets', { root, storedKeys: [...keys.names()] });
  const cost = await engine.call('tapeCost', { root, tapePath: program.tape.fsPath });
  if (!(await confirm(await questionOf(program, targets, cost)))) throw new vscode.CancellationError();
  const allowed = newTargets(targets);
  if (allowed.length > 0) await engine.call('confirmKeys', { root, targets: allowed });
  return { keys: await keys.stored(targets.flatMap(({ variable }) => variable ?? [])) };
}

async function questionOf(
  { folder, words, tape }: TapedProgram,
  targets: readonly RecordingTarget[],
  cost: RetakeCost | null,
): Promise<Question> {
  const isTerminal = words.length === 0;
  const name = isTerminal ? t('a terminal') : oneLine(lineOf(words));
  const callers = [{ name, targets }];
  const file = oneLine(vscode.workspace.asRelativePath(tape, false));
  const outcome = (await fileExists(tape))
    ? t('{0} will be replaced. The tape that it replaces is kept in .tapedeck/takes.', file)
    : t('{0} will be created.', file);
  return {
    title: t('Record {0}?', name),
    ...recordAction(callers, t('Record')),
    sections: [
      {
        lines: [
          isTerminal
            ? t('What runs in the terminal calls its own models; their providers may charge for it.')
            : t('The program runs in {0} and calls its own models; their providers may charge for it.', folder.name),
        ],
      },
      ...targetSections(callers),
      { title: t('Tape:'), lines: [outcome, ...costLines(cost)] },
    ],
  };
}

/** The cost of the last recording: a new one will probably cost about the same. */
function costLines(cost: RetakeCost | null): readonly string[] {
  return cost === null || cost.calls === 0 ? [] : [t('The last recording has {0}.', oneLine(formatDatedCost(cost)))];
}
