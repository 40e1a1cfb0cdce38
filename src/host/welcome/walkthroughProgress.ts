import type * as vscode from 'vscode';
import { ContextKey } from '../base/contextKey';
import type { RunStore } from '../stores/runs/runStore';

/** Completes the step of the walkthrough about replays when a run has ended; a command that was started may be cancelled. */
export function registerWalkthroughProgress(runs: RunStore): vscode.Disposable {
  const hasRun = new ContextKey<boolean>('tapedeck.hasRun');
  return runs.onDidChange((uri) => {
    if (runs.get(uri)?.type === 'finished') hasRun.set(true);
  });
}
