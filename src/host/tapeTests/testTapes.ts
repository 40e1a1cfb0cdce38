import * as vscode from 'vscode';
import { takesFolder } from '../../core/project/layout';
import type { TapeTest, TestTapeUse } from '../../core/tapeTests/tapeTest';
import { t } from '../../core/text/l10n';
import { loadCore } from '../../reader/loadCore';
import { fileExists } from '../base/files';
import { HumanError } from '../base/humanError';
import { hasLink } from '../stores/files/ownState';
import type { FoundTest } from '../stores/tapes/foundTest';
import type { TapeStore } from '../stores/tapes/tapeStore';

/** The tapes of a test that exist. */
export async function existingTapes({ folder, test }: FoundTest, listed: TapeStore): Promise<readonly vscode.Uri[]> {
  const tapes = await Promise.all(test.uses.map((use) => tapeOf(folder, use, listed)));
  const found = tapes.filter((tape) => tape !== undefined);
  return [...new Map(found.map((tape) => [tape.toString(), tape])).values()];
}

/** Whether the name of a tape is computed at run time. */
export function hasUnknownTape({ uses }: TapeTest): boolean {
  return uses.some(({ paths }) => paths.length === 0);
}

/**
 * Whether a run can record a tape of the test. A recorder without a switch records if there is no tape, so the tape must be known,
 * or it would only be replayed.
 */
export function canRecord({ uses, language }: TapeTest): boolean {
  return uses.some(({ recorder, paths }) => {
    if (recorder === 'aimock' || recorder === 'fixture') return false;
    return paths.length > 0 || language === 'python' || recorder === 'polly' || recorder === 'httprr';
  });
}

/** The tape of a use; for a test with parameters, the first of its tapes. */
async function tapeOf(
  folder: vscode.WorkspaceFolder,
  use: TestTapeUse,
  listed: TapeStore,
): Promise<vscode.Uri | undefined> {
  if (use.isAnywhere) return onlyListed(folder, use, listed);
  for (const path of use.paths) {
    const uri = vscode.Uri.joinPath(folder.uri, path);
    if (await fileExists(uri)) return uri;
  }
  return use.isFamily ? firstParametrisedTape(folder, use.paths) : undefined;
}

/** The only tape whose path ends like this; undefined if there are several. */
async function onlyListed(
  folder: vscode.WorkspaceFolder,
  use: TestTapeUse,
  listed: TapeStore,
): Promise<vscode.Uri | undefined> {
  await listed.load();
  const { usesTape } = await loadCore();
  const found = listed.all().filter(({ uri, tested }) => {
    if (tested?.recorder !== use.recorder || vscode.workspace.getWorkspaceFolder(uri) !== folder) return false;
    return usesTape(use, vscode.workspace.asRelativePath(uri, false));
  });
  return found.length === 1 ? found[0]?.uri : undefined;
}

async function firstParametrisedTape(
  folder: vscode.WorkspaceFolder,
  paths: readonly string[],
): Promise<vscode.Uri | undefined> {
  for (const path of paths) {
    const [, home = '', stem = '', ending = ''] = /^(?:(.*)\/)?([^/]*?)((?:\.tape)?\.\w+)$/.exec(path) ?? [];
    const place = vscode.Uri.joinPath(folder.uri, home);
    const entries = await vscode.workspace.fs.readDirectory(place).then(
      (found) => found.map(([name]) => name).sort(),
      () => [],
    );
    const first = entries.find(
      (name) => name.startsWith(stem) && name.endsWith(ending) && /^[[_]/.test(name.slice(stem.length)),
    );
    if (first !== undefined) return vscode.Uri.joinPath(place, first);
  }
  return undefined;
}

/** A tape that was moved away while it is recorded again. */
export interface SetAsideTape {
  /** Call it after the run. The old tape stays among the takes if a new one was recorded; otherwise it is restored. */
  finish(succeeded: boolean): Promise<'recorded' | 'restored'>;
}

/** Moves a tape to the takes of its project, for recorders that record only if there is no tape. */
export async function setTapeAside(
  tape: vscode.Uri,
  folder: vscode.WorkspaceFolder,
  now = new Date(),
): Promise<SetAsideTape> {
  const path = vscode.workspace.asRelativePath(tape, false);
  if (await hasLink(folder.uri, takesFolder(path)))
    throw new HumanError(t('{0} is behind a link, so no tape is moved there. Remove the link.', takesFolder(path)));
  const stamp = now.toISOString().replaceAll(':', '-');
  const take = vscode.Uri.joinPath(folder.uri, takesFolder(path), `${stamp}${extensionOf(path)}`);
  await vscode.workspace.fs.rename(tape, take);
  return {
    finish: async (succeeded) => {
      const isRecorded = succeeded && (await fileExists(tape));
      // CheckAgent saves a cassette even if the test has failed; it is not kept.
      if (!isRecorded) await vscode.workspace.fs.rename(take, tape, { overwrite: true });
      return isRecorded ? 'recorded' : 'restored';
    },
  };
}

function extensionOf(path: string): string {
  return /\.\w+(?:\.gz)?$/.exec(path)?.[0] ?? '';
}
