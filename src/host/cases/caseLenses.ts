import * as vscode from 'vscode';
import type { CaseStore } from '../stores/caseStore';

/**
 * Above a case always the same three lenses, in the same place, whatever state the case or its TOML is in: lenses that
 * come, go or move make the text jump under the reader.
 */
export class CaseLenses implements vscode.CodeLensProvider {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(
    private readonly cases: CaseStore,
    /** How many changes of a case are to be reviewed. */
    private readonly pending: (uri: vscode.Uri) => Promise<number>,
  ) {}

  refresh(): void {
    this.#changed.fire();
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const entry = await this.cases.open(document.uri);
    if (entry === undefined) return [];
    const range = new vscode.Range(entry.headLine, 0, entry.headLine, 0);
    const lens = (title: string, tooltip: string, command: string): vscode.CodeLens =>
      new vscode.CodeLens(range, { title, tooltip, command, arguments: [document.uri] });
    const count = await this.pending(document.uri);
    return [
      lens(
        '$(play) Replay',
        'Run this case with the recorded answers. Nothing leaves the machine.',
        'tapedeck.replayCase',
      ),
      lens(
        '$(record) Re-record',
        'Run this case against its provider and replace the tape. Asks first.',
        'tapedeck.recordCase',
      ),
      lens(`$(git-compare) Review${count > 0 ? ` (${count})` : ''}`, reviewTooltip(count), 'tapedeck.reviewCase'),
    ];
  }
}

function reviewTooltip(count: number): string {
  if (count === 0) return 'Compare the last run with the baseline.';
  return `${count} ${count === 1 ? 'change' : 'changes'} against the baseline to decide.`;
}
