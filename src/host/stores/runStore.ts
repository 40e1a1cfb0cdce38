import * as vscode from 'vscode';
import type { RequestedMode, RunResult } from '../../core/model/run';
import type { RunEvent } from '../../protocol/engine';
import { caseUri } from '../base/caseUri';

export type RunState =
  | { readonly type: 'running' }
  | { readonly type: 'finished'; readonly result: RunResult; readonly at: number };

/** A response in a run, recorded or replayed. */
export interface RunStep {
  readonly event: Extract<RunEvent, { type: 'interaction' }>;
  readonly mode: RequestedMode;
}

/** The last run of each case in this window. */
export class RunStore implements vscode.Disposable {
  readonly #states = new Map<string, RunState>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #advanced = new vscode.EventEmitter<RunStep>();
  /** Fires with each response in a run. */
  readonly onDidAdvance = this.#advanced.event;
  /** Fires with the URI of the case. */
  readonly onDidChange = this.#changed.event;

  get(uri: vscode.Uri): RunState | undefined {
    return this.#states.get(uri.toString());
  }

  /** @param mode The requested mode. The mode that was used is part of the run's result. */
  apply(event: RunEvent, mode: RequestedMode): void {
    const uri = caseUri(event.casePath);
    if (event.type === 'interaction') this.#advanced.fire({ event, mode });
    if (event.type === 'started') this.#set(uri, { type: 'running' });
    if (event.type === 'finished') this.#set(uri, { type: 'finished', result: event.result, at: Date.now() });
  }

  /** Clears the state of every case among `uris` that is still running, as after the engine has stopped. */
  abandon(uris: readonly vscode.Uri[]): void {
    for (const uri of uris) if (this.get(uri)?.type === 'running') this.#set(uri, undefined);
  }

  dispose(): void {
    this.#changed.dispose();
    this.#advanced.dispose();
  }

  #set(uri: vscode.Uri, state: RunState | undefined): void {
    if (state === undefined) this.#states.delete(uri.toString());
    else this.#states.set(uri.toString(), state);
    this.#changed.fire(uri);
  }
}
