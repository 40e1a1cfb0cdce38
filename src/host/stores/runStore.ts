import * as vscode from 'vscode';
import type { RequestedMode, RunResult } from '../../core/model/run';
import type { RunEvent } from '../../protocol/engine';
import { caseUri } from '../base/caseUri';

export type RunState =
  | { readonly type: 'running' }
  | { readonly type: 'finished'; readonly result: RunResult; readonly at: number };

/** An answer in a run. */
export interface RecordedStep {
  readonly event: Extract<RunEvent, { type: 'interaction' }>;
  readonly mode: RequestedMode;
}

/** The last run of each case in this window; everything that shows run states projects this. */
export class RunStore implements vscode.Disposable {
  readonly #states = new Map<string, RunState>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #played = new vscode.EventEmitter<RecordedStep>();
  /** Fires when a model has answered in a run. */
  readonly onDidAdvance = this.#played.event;
  /** Fires with the case's file. */
  readonly onDidChange = this.#changed.event;

  get(uri: vscode.Uri): RunState | undefined {
    return this.#states.get(uri.toString());
  }

  /** @param mode What was asked for; the run tells what it answers with. */
  apply(event: RunEvent, mode: RequestedMode): void {
    const uri = caseUri(event.casePath);
    if (event.type === 'interaction') this.#played.fire({ event, mode });
    if (event.type === 'started') this.#set(uri, { type: 'running' });
    if (event.type === 'finished') this.#set(uri, { type: 'finished', result: event.result, at: Date.now() });
  }

  /** Ends every run among `uris` that never finished, as after the engine's death. */
  abandon(uris: readonly vscode.Uri[]): void {
    for (const uri of uris) if (this.get(uri)?.type === 'running') this.#set(uri, undefined);
  }

  dispose(): void {
    this.#changed.dispose();
    this.#played.dispose();
  }

  #set(uri: vscode.Uri, state: RunState | undefined): void {
    if (state === undefined) this.#states.delete(uri.toString());
    else this.#states.set(uri.toString(), state);
    this.#changed.fire(uri);
  }
}
