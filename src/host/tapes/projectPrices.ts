import * as vscode from 'vscode';
import type { PriceTable } from '../../core/prices/priceTable';
import { CONFIG_FILE } from '../../core/project/layout';
import { tapeReading } from '../base/tapeReading';

/** The prices in the `tapedeck.toml` of a file's workspace folder. A broken one is told of where cases are run. */
export async function projectPrices(uri: vscode.Uri): Promise<PriceTable | undefined> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) return undefined;
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder.uri, CONFIG_FILE));
    return (await tapeReading()).readConfig(new TextDecoder().decode(bytes)).value?.prices;
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return undefined;
    throw error;
  }
}
