import * as vscode from 'vscode';
import type { CurrentTape } from '../../../contracts/pages/trialPage';
import type { TrialCase } from '../../../core/model/trial';
import type { PriceTable } from '../../../core/prices/priceTable';
import { CONFIG_FILE } from '../../../core/project/layout';
import { loadCore } from '../../../reader/loadCore';

/** The current tapes of the cases, which the models are compared with. Cases without a tape are left out. */
export async function readCurrentTapes(root: vscode.Uri, cases: readonly TrialCase[]): Promise<readonly CurrentTape[]> {
  const prices = await readPrices(root);
  const found = await Promise.all(
    cases.map(async ({ casePath, tapePath }) => {
      const totals = tapePath === undefined ? undefined : await readTotals(vscode.Uri.joinPath(root, tapePath), prices);
      return totals === undefined ? [] : [{ casePath, ...totals }];
    }),
  );
  return found.flat();
}

async function readTotals(
  uri: vscode.Uri,
  prices: PriceTable | undefined,
): Promise<Omit<CurrentTape, 'casePath'> | undefined> {
  const bytes = await readIfThere(uri);
  if (bytes === undefined) return undefined;
  const { decodeTapeFile, readTape, tapeTotals } = await loadCore();
  const tape = readTape(decodeTapeFile(uri.path, bytes));
  if (tape === undefined) return undefined;
  const { usage, cost, unpriced, durationMs } = tapeTotals(tape, prices);
  return {
    ...(usage.totalTokens > 0 && { tokens: usage.totalTokens }),
    ...(cost !== undefined && unpriced === undefined && { dollars: cost }),
    durationMs,
  };
}

async function readPrices(root: vscode.Uri): Promise<PriceTable | undefined> {
  const bytes = await readIfThere(vscode.Uri.joinPath(root, CONFIG_FILE));
  return bytes && (await loadCore()).readConfig(new TextDecoder().decode(bytes)).value?.prices;
}

async function readIfThere(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return undefined;
    throw error;
  }
}
