import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable';
import type { SessionParts } from '../sessionParts';
import { shellLineWords } from '../shellLine';

/** Which commands of a terminal made requests, if its shell reports commands. */
export class CommandTracker implements vscode.Disposable {
  readonly #owned = new DisposableStore();
  /** The commands in which something was recorded. */
  readonly #recorded = new Set<vscode.TerminalShellExecution | undefined>();
  #running: vscode.TerminalShellExecution | undefined;

  constructor(session: string, engine: SessionParts['engine']) {
    let count = 0;
    this.#owned.add(
      engine.onSessionEvent((event) => {
        if (event.session !== session || event.recorded === count) return;
        count = event.recorded;
        this.#recorded.add(this.#running);
      }),
    );
    // A response may be recorded just after its command has ended: until the next one starts, it belongs to that.
    this.#owned.add(
      vscode.window.onDidStartTerminalShellExecution(({ terminal: { creationOptions: options }, execution }) => {
        if ('env' in options && Object.values(options.env ?? {}).includes(session)) this.#running = execution;
      }),
    );
  }

  /** The words of the command that made all requests, if it was one, in the folder; else none. */
  wordsOfOnly({ uri }: vscode.WorkspaceFolder): readonly string[] {
    const [only, ...others] = this.#recorded;
    if (only === undefined || others.length > 0) return [];
    const { commandLine, cwd } = only;
    const isKnown = commandLine.confidence !== vscode.TerminalShellExecutionCommandLineConfidence.Low;
    return isKnown && cwd?.path === uri.path ? shellLineWords(commandLine.value.trim()) : [];
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
