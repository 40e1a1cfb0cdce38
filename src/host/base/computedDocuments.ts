import * as vscode from 'vscode';

/** Read-only documents of a scheme, computed when they are shown, and again when one of `changes` fires. */
export class ComputedDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #subscriptions: readonly vscode.Disposable[];
  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly scheme: string,
    private readonly compute: (uri: vscode.Uri) => Promise<string>,
    changes: readonly vscode.Event<unknown>[],
  ) {
    this.#subscriptions = [
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      ...changes.map((onDidChange) => onDidChange(() => this.#refreshAll())),
    ];
  }

  /** Opens the document, computed anew. */
  async open(uri: vscode.Uri): Promise<void> {
    this.#changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return this.compute(uri);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #refreshAll(): void {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === this.scheme) this.#changed.fire(uri);
  }
}
