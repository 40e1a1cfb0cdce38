import * as vscode from 'vscode';
import type { ReleaseHeldParams } from '../../../contracts/holds';
import type { ShownHeld, ShownHolds } from '../../../contracts/transcript/transcriptHolds';

const BREAKPOINTS = 'tapedeck.breakpoints';

type Breakpoints = Readonly<Record<string, readonly number[]>>;

/** What sessions hold, once there is one. */
export interface HeldRequests {
  held(tape: vscode.Uri): readonly ShownHeld[];
  release(params: ReleaseHeldParams): Promise<void>;
  /** The breakpoints of a tape have changed. */
  update(tape: vscode.Uri): Promise<void>;
}

/** The breakpoints of tapes, kept for the workspace and never in a tape, and the requests that sessions hold. */
export class HoldStore extends vscode.EventEmitter<vscode.Uri> {
  /** Fires with the URI of the tape. */
  readonly onDidChange = this.event;
  requests: HeldRequests | undefined;

  constructor(private readonly memory: vscode.Memento) {
    super();
  }

  breakpoints(tape: vscode.Uri): readonly number[] {
    return this.memory.get<Breakpoints>(BREAKPOINTS, {})[tape.toString()] ?? [];
  }

  /** What a transcript shows. A tape that is still being recorded is no file, and has no breakpoints. */
  shown(tape: vscode.Uri): ShownHolds {
    const breakpoints = tape.scheme === 'file' ? this.breakpoints(tape) : null;
    return { breakpoints, held: this.requests?.held(tape) ?? [] };
  }

  toggle(tape: vscode.Uri, interaction: number): Promise<void> {
    return this.move(tape, (before) => {
      const others = before.filter((one) => one !== interaction);
      return others.length === before.length ? [...before, interaction] : others;
    });
  }

  /** Changes the breakpoints of a tape. */
  async move(tape: vscode.Uri, change: (before: readonly number[]) => readonly number[]): Promise<void> {
    const before = this.breakpoints(tape);
    const after = change(before);
    if (after.join() === before.join()) return;
    const all = this.memory.get<Breakpoints>(BREAKPOINTS, {});
    await this.memory.update(BREAKPOINTS, { ...all, [tape.toString()]: after.length === 0 ? undefined : after });
    this.fire(tape);
    await this.requests?.update(tape);
  }
}
