import * as vscode from 'vscode';
import type { ProviderSpec } from '../../../core/model/case';
import { CONFIG_FILE } from '../../../core/project/layout';
import { loadCore } from '../../../reader/loadCore';

/** The provider of `tapedeck.toml`, for cases without one; undefined if that file is absent or invalid. */
export async function readProjectProvider(root: vscode.Uri): Promise<ProviderSpec | undefined> {
  const uri = vscode.Uri.joinPath(root, CONFIG_FILE);
  const bytes = await vscode.workspace.fs.readFile(uri).then(
    (content) => content,
    // Absent or unreadable: a run reports it, with the position.
    () => undefined,
  );
  return bytes === undefined
    ? undefined
    : (await loadCore()).readConfig(new TextDecoder().decode(bytes)).value?.provider;
}
