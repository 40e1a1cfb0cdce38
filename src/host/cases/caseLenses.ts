import * as vscode from 'vscode';
import type { CaseState } from '../../core/results/caseState';
import { caseFileOf } from '../base/caseUri';
import { Debouncer } from '../base/debounce';
import { fileExists } from '../base/files';
import { isEnabled, onDidChangeSwitch } from '../base/settings';
import type { CaseEntry } from '../stores/caseEntry';
import type { CaseStates } from '../stores/caseStates';
import { CASE_GLOB, type CaseStore } from '../stores/caseStore';

/** VS Code drops a refresh that has waited for less than this when the editor loses the focus, so it is asked for again. */
const DROPPED_MS = 1000;

/** Registers the lenses, which show how many changes are pending. */
export function registerCaseLenses(cases: CaseStore, states: CaseStates): vscode.Disposable {
  const lenses = new CaseLenses(cases, async (uri) => (await states.get(uri)).state);
  const again = new Debouncer<void>(DROPPED_MS, () => lenses.refresh());
  return vscode.Disposable.from(
    again,
    states.onDidChange((uris) => {
      if (!areVisible(uris)) return;
      lenses.refresh();
      again.add('lenses', undefined);
    }),
    onDidChangeSwitch('codeLens.enabled', () => lenses.refresh()),
    vscode.languages.registerCodeLensProvider({ pattern: CASE_GLOB }, lenses),
  );
}

/** Whether the file of one of these cases is in sight: when a workspace is opened, there may be thousands of others. */
function areVisible(uris: readonly vscode.Uri[]): boolean {
  const inSight = new Set(vscode.window.visibleTextEditors.map(({ document }) => document.uri.toString()));
  return inSight.size > 0 && uris.some((uri) => inSight.has(caseFileOf(uri).toString()));
}

/** A longer file is probably a recording, and is not searched for cases. */
const MAX_LINES = 20_000;

/**
 * The lenses above each case. They are always the same three, in the same place, even if the TOML is invalid, because
 * lenses that appear, disappear or move make the text jump.
 */
class CaseLenses implements vscode.CodeLensProvider {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(
    private readonly cases: CaseStore,
    private readonly stateOf: (uri: vscode.Uri) => Promise<CaseState>,
  ) {}

  refresh(): void {
    this.#changed.fire();
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if (document.lineCount > MAX_LINES || !isEnabled('codeLens.enabled', document.uri)) return [];
    const entries = (await this.cases.open(document.uri)).filter((entry) => this.cases.isCase(entry));
    return (await Promise.all(entries.map((entry) => this.#lensesOf(entry)))).flat();
  }

  async #lensesOf(entry: CaseEntry): Promise<vscode.CodeLens[]> {
    const { uri, headLine } = entry;
    const range = new vscode.Range(headLine, 0, headLine, 0);
    const lens = (title: string, tooltip: string, command: string): vscode.CodeLens =>
      new vscode.CodeLens(range, { title, tooltip, command, arguments: [uri] });
    const state = await this.stateOf(uri);
    const count = state.pending;
    const isUnchecked = state.checkedNothing && count === 0;
    return [
      lens(
        '$(play) Replay',
        'Run this case with the recorded responses. No data leaves this computer.',
        'tapedeck.replayCase',
      ),
      (await hasRecording(entry))
        ? lens(
            '$(record) Re-record',
            'Run this case against its provider and replace the tape. Asks for confirmation first.',
            'tapedeck.recordCase',
          )
        : lens(
            '$(record) Record',
            'No recording yet. Run this case against its provider and create the tape. Asks for confirmation first.',
            'tapedeck.recordCase',
          ),
      isUnchecked
        ? lens('$(save) Create Baseline', UNCHECKED_TOOLTIP, 'tapedeck.createBaseline')
        : lens(`$(git-compare) Review${count > 0 ? ` (${count})` : ''}`, reviewTooltip(count), 'tapedeck.reviewCase'),
    ];
  }
}

/** False only where there is a tape to record, and no file of its name. */
async function hasRecording({ file, listed }: CaseEntry): Promise<boolean> {
  const tape = listed?.recordedTape;
  return tape === undefined || fileExists(vscode.Uri.joinPath(file, '..', tape));
}
const UNCHECKED_TOOLTIP =
  'The last run passed with nothing to compare it with. Keep it as the baseline that later runs are compared with.';

function reviewTooltip(count: number): string {
  if (count === 0) return 'Compare the last run with the baseline.';
  return `${count} ${count === 1 ? 'change' : 'changes'} against the baseline to review.`;
}
