import * as vscode from 'vscode';

/** Shows a notification while `work` runs. Its Cancel aborts the signal of `work`. */
export async function withCancellableProgress<T>(
  title: string,
  work: (progress: vscode.Progress<{ message?: string; increment?: number }>, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    const abort = new AbortController();
    const cancellation = token.onCancellationRequested(() => abort.abort());
    try {
      return await work(progress, abort.signal);
    } finally {
      cancellation.dispose();
    }
  });
}
