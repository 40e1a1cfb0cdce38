import * as vscode from 'vscode';
import type { TapeUse } from '../../core/model/run';
import { LineIndex } from '../../core/text/source';
import { tapeReading } from '../base/tapeReading';

/** Which recorded interactions of a tape a replay used, as the coverage of its file: an interaction is a statement. */
export class TapeCoverage extends vscode.FileCoverage {
  constructor(readonly use: TapeUse) {
    super(vscode.Uri.file(use.tapePath), new vscode.TestCoverageCount(use.used.length, use.recorded));
  }

  async details(): Promise<vscode.StatementCoverage[]> {
    const { readTape, decodeTapeFile } = await tapeReading();
    const file = decodeTapeFile(this.uri.path, await vscode.workspace.fs.readFile(this.uri));
    const lines = new LineIndex(file.text);
    const used = new Set(this.use.used);
    return (readTape(file)?.interactions ?? []).map(({ index, source }) => {
      const [start, end] = [source.start, source.end].map((offset) => lines.position(offset));
      const range = new vscode.Range(
        (start?.line ?? 1) - 1,
        (start?.column ?? 1) - 1,
        (end?.line ?? 1) - 1,
        (end?.column ?? 1) - 1,
      );
      return new vscode.StatementCoverage(used.has(index), range);
    });
  }
}

/** The uses of a tape by several cases as one: what any of them used is used. */
export function combinedUses(uses: readonly TapeUse[]): readonly TapeUse[] {
  const byTape = new Map<string, TapeUse>();
  for (const use of uses) {
    const known = byTape.get(use.tapePath);
    const used = [...new Set([...(known?.used ?? []), ...use.used])].sort((a, b) => a - b);
    byTape.set(use.tapePath, { ...use, used });
  }
  return [...byTape.values()];
}
