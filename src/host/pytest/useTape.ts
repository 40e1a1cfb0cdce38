import * as vscode from 'vscode';
import type { TestTapeUse } from '../../core/python/testTapeUse';
import { isThere } from '../base/isThere';
import type { PytestTest } from '../stores/pytestStore';

/** The tapes of a test that are there. */
export async function tapesOf({ folder, uses }: PytestTest): Promise<readonly vscode.Uri[]> {
  const tapes = await Promise.all(uses.map((use) => tapeOf(folder, use)));
  return tapes.filter((tape) => tape !== undefined);
}

/** Of a test with parameters the first. */
async function tapeOf(folder: vscode.WorkspaceFolder, use: TestTapeUse): Promise<vscode.Uri | undefined> {
  for (const path of use.paths) {
    const uri = vscode.Uri.joinPath(folder.uri, path);
    if (await isThere(uri)) return uri;
  }
  return use.isFamily ? familyOf(folder, use.paths) : undefined;
}

async function familyOf(folder: vscode.WorkspaceFolder, paths: readonly string[]): Promise<vscode.Uri | undefined> {
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
