import * as vscode from 'vscode';
import type { Failure, ReplayMiss } from '../../../core/model/run';
import type { CaseStates } from './caseStates';

/** How many cases are looked up at a time. */
const READERS = 64;

/** A request for which the tape had no response, in the last run of a case. */
export interface TapeDrift {
  readonly caseUri: vscode.Uri;
  readonly caseName: string;
  readonly failure: Failure & { readonly miss: ReplayMiss };
}

/** The drifts between the last runs of cases and their tapes, as far as the tapes have not changed since. */
export class DriftStore implements vscode.Disposable {
  /** The drifts by the URI of their case. */
  readonly #drifts = new Map<string, readonly TapeDrift[]>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #owned: vscode.Disposable;
  /** Fires with the URI of the tape. */
  readonly onDidChange = this.#changed.event;

  constructor(private readonly states: Pick<CaseStates, 'get' | 'ranAmong' | 'onDidChange'>) {
    this.#owned = states.onDidChange((uris) => void this.#followAll(uris));
  }

  get(tape: vscode.Uri): readonly TapeDrift[] {
    return [...this.#drifts.values()].flat().filter((drift) => tapeOf(drift).toString() === tape.toString());
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changed.dispose();
  }

  async #followAll(uris: readonly vscode.Uri[]): Promise<void> {
    const ran = await this.states.ranAmong(uris);
    for (let at = 0; at < ran.length; at += READERS)
      await Promise.all(ran.slice(at, at + READERS).map((uri) => this.#follow(uri)));
  }

  async #follow(caseUri: vscode.Uri): Promise<void> {
    const { state, run } = await this.states.get(caseUri);
    const before = this.#drifts.get(caseUri.toString()) ?? [];
    const isCurrent = state.type !== 'running' && !state.changed.includes('tape');
    const { name = '', failures = [] } = isCurrent && run !== undefined ? run : {};
    const drifts = failures.filter(isMiss).map((failure): TapeDrift => ({ caseUri, caseName: name, failure }));
    if (before.length === 0 && drifts.length === 0) return;
    if (drifts.length === 0) this.#drifts.delete(caseUri.toString());
    else this.#drifts.set(caseUri.toString(), drifts);
    for (const tape of new Set([...before, ...drifts].map((drift) => tapeOf(drift).toString())))
      this.#changed.fire(vscode.Uri.parse(tape));
  }
}

function isMiss(failure: Failure): failure is TapeDrift['failure'] {
  return failure.miss !== undefined;
}

function tapeOf({ failure }: TapeDrift): vscode.Uri {
  return vscode.Uri.file(failure.miss.tapePath);
}
