import * as vscode from 'vscode';
import { t } from '../../core/text/l10n';

const SCHEME = 'tapedeck-report';

/** Reports as read-only documents. They last as long as the window. */
export class ReportDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  readonly onDidChange = this.#changed.event;

  /** Adds a report, or replaces the one of the same name, and returns its URI. */
  put(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    return uri;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.#texts.get(uri.toString()) ??
      t('This report is from an earlier session. Run its command again to create a new one.')
    );
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}
