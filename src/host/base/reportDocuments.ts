import * as vscode from 'vscode';

const SCHEME = 'tapedeck-report';

/** Reports as documents that cannot be written. They last as long as the window. */
export class ReportDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  readonly onDidChange = this.#changed.event;

  /** The report of this name, in the place of the last one. */
  put(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    return uri;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? 'This report was of an earlier session: ask for it again.';
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}
