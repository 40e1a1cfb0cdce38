import * as vscode from 'vscode';
import type { RunEvent } from '../../../contracts/engine/engine';
import type { RequestedMode, RunResult } from '../../../core/model/run';
import { caseUri } from '../../base/caseUri';

type RunState = { readonly type: 'running'; readonly before: FinishedRun | undefined } | FinishedRun;

interface FinishedRun {
  readonly type: 'finished';
  readonly result: RunResult;
}

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
    if (event.type === 'started') this.#set(uri, { type: 'running', before: this.#finished(uri) });
    if (event.type === 'finished' && event.result.status === 'cancelled') this.abandon([uri]);
    else if (event.type === 'finished') this.#set(uri, { type: 'finished', result: event.result });
  }

  /** Returns every case among `uris` that is still running to its run before, as after a cancel or the end of the engine. */
  abandon(uris: readonly vscode.Uri[]): void {
    for (const uri of uris) if (this.get(uri)?.type === 'running') this.#set(uri, this.#finished(uri));
  }

  #finished(uri: vscode.Uri): FinishedRun | undefined {
    const state = this.get(uri);
    return state?.type === 'running' ? state.before : state;
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
