import * as vscode from 'vscode';
import type { RunProgress } from '../../../contracts/transcript/transcriptEvents';
import { caseUri } from '../../base/caseUri';
import type { RunStep, RunStore } from '../runs/runStore';
import { type CaseEntry, tapeUris } from './caseEntry';

/** The progress of current runs, by the tape that they replay or record. */
export class RunProgressStore implements vscode.Disposable {
  readonly #progress = new Map<string, RunProgress>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #owned: vscode.Disposable;
  /** Fires with the URI of the tape. */
  readonly onDidChange = this.#changed.event;

  constructor(
    runs: Pick<RunStore, 'get' | 'onDidChange' | 'onDidAdvance'>,
    private readonly cases: { get(uri: vscode.Uri): CaseEntry | undefined },
  ) {
    this.#owned = vscode.Disposable.from(
      runs.onDidAdvance((step) => this.#advance(step)),
      runs.onDidChange((uri) => runs.get(uri)?.type === 'running' || this.#stop(uri)),
    );
  }

  get(tape: vscode.Uri): RunProgress | undefined {
    return this.#progress.get(tape.toString());
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changed.dispose();
  }

  #advance({ event: { casePath, index, summary }, mode }: RunStep): void {
    for (const tape of this.#tapesOf(caseUri(casePath))) {
      this.#progress.set(tape.toString(), { mode, interaction: index, summary });
      this.#changed.fire(tape);
    }
  }

  #stop(uri: vscode.Uri): void {
    for (const tape of this.#tapesOf(uri)) if (this.#progress.delete(tape.toString())) this.#changed.fire(tape);
  }

  #tapesOf(uri: vscode.Uri): readonly vscode.Uri[] {
    const entry = this.cases.get(uri);
    return entry === undefined ? [] : tapeUris(entry);
  }
}
