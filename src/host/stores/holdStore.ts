import * as vscode from 'vscode';
import type { HeldRequest, ReleaseHeldParams } from '../../protocol/holds';
import type { ShownHeld, ShownHolds } from '../../protocol/transcriptHolds';
import { ContextKey } from '../base/contextKey';

const BREAKPOINTS = 'tapedeck.breakpoints';

type Breakpoints = Readonly<Record<string, readonly number[]>>;

/** The breakpoints of tapes, kept for the workspace and never in a tape, and the requests that sessions hold. */
export class HoldStore implements vscode.Disposable {
  readonly #held = new Map<string, { readonly tape: vscode.Uri; readonly held: readonly HeldRequest[] }>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #toggled = new vscode.EventEmitter<vscode.Uri>();
  readonly #isHeld = new ContextKey<boolean>('tapedeck.isHeld');
  /** Fires with the URI of the tape. */
  readonly onDidChange = this.#changed.event;
  readonly onDidToggle = this.#toggled.event;
  /** Decides about a held request, where a session holds one. */
  release: ((params: ReleaseHeldParams) => Promise<void>) | undefined;

  constructor(private readonly memory: vscode.Memento) {}

  breakpoints(tape: vscode.Uri): readonly number[] {
    return this.memory.get<Breakpoints>(BREAKPOINTS, {})[tape.toString()] ?? [];
  }

  /** What a transcript shows. A tape that is still being recorded is no file, and has no breakpoints. */
  shown(tape: vscode.Uri): ShownHolds {
    return { breakpoints: tape.scheme === 'file' ? this.breakpoints(tape) : null, held: this.held(tape) };
  }

  held(tape?: vscode.Uri): readonly ShownHeld[] {
    return [...this.#held].flatMap(([session, one]) =>
      tape === undefined || one.tape.toString() === tape.toString()
        ? one.held.map((request) => ({ ...request, session }))
        : [],
    );
  }

  async toggle(tape: vscode.Uri, interaction: number): Promise<void> {
    const { [tape.toString()]: before = [], ...others } = this.memory.get<Breakpoints>(BREAKPOINTS, {});
    const after = before.includes(interaction)
      ? before.filter((one) => one !== interaction)
      : [...before, interaction].sort((left, right) => left - right);
    await this.memory.update(BREAKPOINTS, after.length === 0 ? others : { ...others, [tape.toString()]: after });
    this.#toggled.fire(tape);
    this.#changed.fire(tape);
  }

  /** All that a session holds now, which is shown in the transcript of `tape`. */
  setHeld(session: string, tape: vscode.Uri, held: readonly HeldRequest[]): void {
    if (held.length === 0) this.#held.delete(session);
    else this.#held.set(session, { tape, held });
    this.#isHeld.set(this.#held.size > 0);
    this.#changed.fire(tape);
  }

  dispose(): void {
    this.#changed.dispose();
    this.#toggled.dispose();
  }
}
