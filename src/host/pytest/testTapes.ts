import * as vscode from 'vscode';
import { takesFolder } from '../../core/project/layout';
import type { TestTapeUse } from '../../core/python/testTapeUse';
import { fileExists } from '../base/files';
import type { PytestTest } from '../stores/pytestStore';

/** The tapes of a test that exist. */
export async function existingTapes({ folder, uses }: PytestTest): Promise<readonly vscode.Uri[]> {
  const tapes = await Promise.all(uses.map((use) => tapeOf(folder, use)));
  return tapes.filter((tape) => tape !== undefined);
}

/** The tape of a use; for a test with parameters, the first of its tapes. */
async function tapeOf(folder: vscode.WorkspaceFolder, use: TestTapeUse): Promise<vscode.Uri | undefined> {
  for (const path of use.paths) {
    const uri = vscode.Uri.joinPath(folder.uri, path);
    if (await fileExists(uri)) return uri;
  }
  return use.isFamily ? firstParametrisedTape(folder, use.paths) : undefined;
}

async function firstParametrisedTape(
  folder: vscode.WorkspaceFolder,
  paths: readonly string[],
): Promise<vscode.Uri | undefined> {
  for (const path of paths) {
    const [, home = '', stem = '', ending = ''] = /^(?:(.*)\/)?([^/]*)(\.\w+)$/.exec(path) ?? [];
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
