import * as vscode from 'vscode';
import { isOutdated } from '../../../core/runs/caseState';
import { caseFileOf } from '../../base/caseUri';
import { Debouncer } from '../../base/debounce';
import { DisposableStore } from '../../base/disposable';
import type { CaseEntry } from '../../stores/cases/caseEntry';
import type { CaseStates, InputChange } from '../../stores/cases/caseStates';
import type { CaseStore } from '../../stores/cases/caseStore';

/** Other programs write many files at once, such as a checkout. */
const SETTLE_MS = 200;

interface WatchedCases {
  readonly cases: CaseStore;
  readonly states: CaseStates;
  watched(): readonly CaseEntry[];
  replay(entries: readonly CaseEntry[]): void;
}

/**
 * Calls `replay` when something changes on which watched cases depend, whoever writes it, until it is disposed. There is no delay
 * after a case or its tape is saved in the editor, so that the result appears while the user is still looking at the text.
 */
export function watchReplays(parts: WatchedCases): vscode.Disposable {
  return new ReplayWatcher(parts);
}

class ReplayWatcher implements vscode.Disposable {
  readonly #owned = new DisposableStore();
  readonly #debounced = this.#owned.add(
    new Debouncer<vscode.Uri>(SETTLE_MS, (uris) => void this.#replayOutdated(uris)),
  );
  /** Cases for which a file was saved while they were running. */
  readonly #again = new Set<string>();

  constructor(private readonly parts: WatchedCases) {
    const { cases, states } = parts;
    this.#owned.add(vscode.workspace.onDidSaveTextDocument(({ uri }) => void this.#replaySaved(uri)));
    this.#owned.add(states.onDidChangeInputs((change) => void this.#inputsChanged(change)));
    this.#owned.add(cases.onDidChange((uris) => void this.#casesChanged(uris)));
    this.#owned.add(
      states.onDidChange((uris) => {
        for (const uri of uris) if (this.#again.has(uri.toString())) this.#debounced.add(uri.toString(), uri);
      }),
    );
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #replaySaved(uri: vscode.Uri): Promise<void> {
    const { cases } = this.parts;
    if (cases.inFile(uri).length > 0) await cases.refresh([caseFileOf(uri)]);
    const key = uri.toString();
    this.#replay(({ file, listed }) => {
      if (file.toString() === key) return true;
      return (listed?.tapes ?? []).some((tape) => vscode.Uri.joinPath(file, '..', tape).toString() === key);
    });
  }

  /** What a run itself writes, such as an agent that changes its own source, would replay it for ever. */
  async #inputsChanged({ file, cases, by }: InputChange): Promise<void> {
    if (by === 'edit') return;
    const modified = await modifiedMs(file);
    for (const uri of cases) {
      const { state, run } = await this.parts.states.get(uri);
      if (state.type === 'running' && by === 'save') this.#again.add(uri.toString());
      else if (state.type !== 'running' && (run === undefined || modified > run.finishedAtMs))
        this.#debounced.add(uri.toString(), uri);
    }
  }

  /** Those that have not run: of the others, the inputs are known. */
  async #casesChanged(uris: readonly vscode.Uri[]): Promise<void> {
    for (const uri of uris) {
      const { state } = await this.parts.states.get(uri);
      if (state.type === 'unrun' && !isEdited(caseFileOf(uri))) this.#debounced.add(uri.toString(), uri);
    }
  }

  async #replayOutdated(uris: readonly vscode.Uri[]): Promise<void> {
    const due = new Set<string>();
    for (const uri of uris) {
      const { state } = await this.parts.states.get(uri);
      if (state.type === 'running') continue;
      this.#again.delete(uri.toString());
      if (isOutdated(state) || state.type === 'unrun') due.add(uri.toString());
    }
    this.#replay(({ uri }) => due.has(uri.toString()));
  }

  #replay(isDue: (entry: CaseEntry) => boolean): void {
    if (this.#owned.isDisposed) return;
    const entries = this.parts.watched().filter(isDue);
    if (entries.length > 0) this.parts.replay(entries);
  }
}

function isEdited(file: vscode.Uri): boolean {
  const key = file.toString();
  return vscode.workspace.textDocuments.some(({ uri, isDirty }) => isDirty && uri.toString() === key);
}

/** When a file was written last; for one that is gone, now. */
async function modifiedMs(file: vscode.Uri): Promise<number> {
  try {
    return (await vscode.workspace.fs.stat(file)).mtime;
  } catch {
    return Date.now();
  }
}
