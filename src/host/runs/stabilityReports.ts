import * as vscode from 'vscode';
import { relativeCasePath } from '../base/caseUri';

const SCHEME = 'tapedeck-stability';

/** The last report about each case, as a document that cannot be written. */
export class StabilityReports implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  readonly onDidChange = this.#changed.event;

  async show(caseUri: vscode.Uri, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${relativeCasePath(caseUri)}: stability` });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    await vscode.window.showTextDocument(uri, { preview: false });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? 'This report was of an earlier session. Check the stability again.';
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}
