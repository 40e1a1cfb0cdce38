import * as vscode from 'vscode';
import type { CaseEntry } from '../stores/caseEntry';
import { CASE_GLOB, type CaseStore } from '../stores/caseStore';
import { pendingChanges, type ReviewStore } from '../stores/reviewStore';

/** The lenses follow what is to be reviewed. */
export function registerCaseLenses(cases: CaseStore, reviews: ReviewStore): vscode.Disposable {
  const lenses = new CaseLenses(cases, async (uri) => pendingChanges(await reviews.get(uri)));
  return vscode.Disposable.from(
    reviews.onDidChange(() => lenses.refresh()),
    vscode.languages.registerCodeLensProvider({ pattern: CASE_GLOB }, lenses),
  );
}

/** What is longer is a recording, if anything, and not worth reading through for lenses. */
const MAX_LINES = 20_000;

/**
 * Above a case always the same three lenses, in the same place, whatever state the case or its TOML is in: lenses that
 * come, go or move make the text jump under the reader.
 */
class CaseLenses implements vscode.CodeLensProvider {
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
    if (document.lineCount > MAX_LINES) return [];
    const entries = await this.cases.open(document.uri);
    return (await Promise.all(entries.map((entry) => this.#lensesOf(entry)))).flat();
  }

  async #lensesOf({ uri, headLine }: CaseEntry): Promise<vscode.CodeLens[]> {
    const range = new vscode.Range(headLine, 0, headLine, 0);
    const lens = (title: string, tooltip: string, command: string): vscode.CodeLens =>
      new vscode.CodeLens(range, { title, tooltip, command, arguments: [uri] });
    const count = await this.pending(uri);
    return [
      lens(
        '$(play) Replay',
        'Run this case with the recorded responses. Nothing leaves the machine.',
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
