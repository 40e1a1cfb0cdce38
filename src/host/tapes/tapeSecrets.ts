import * as vscode from 'vscode';
import { LineIndex } from '../../core/text/source';
import { diagnosticOf } from '../base/diagnostics';
import { rangeOf } from '../base/ranges';
import { tapeReading } from '../base/tapeReading';
import type { TapeStore } from '../stores/tapeStore';

/**
 * The secrets in the tapes, in the Problems view. A look for secrets reads every character of a file: it is done one file
 * at a time, behind everything else, and again only for files that have changed.
 */
export class TapeSecrets implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection('tapedeck.secrets');
  readonly #waiting = new Map<string, vscode.Uri>();
  readonly #subscription: vscode.Disposable;
  #isSearching = false;
  #isDisposed = false;

  constructor(private readonly tapes: TapeStore) {
    this.#subscription = tapes.onDidChange(({ uris }) => {
      for (const uri of uris) this.#waiting.set(uri.toString(), uri);
      void this.#search();
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#subscription.dispose();
    this.#collection.dispose();
  }

  async #search(): Promise<void> {
    if (this.#isSearching) return;
    this.#isSearching = true;
    try {
      for (const [key, uri] of this.#waiting) {
        this.#waiting.delete(key);
        const found = this.tapes.get(uri) === undefined ? [] : await secretsIn(uri);
        if (this.#isDisposed) return;
        this.#collection.set(uri, found);
      }
    } finally {
      this.#isSearching = false;
    }
  }
}

async function secretsIn(uri: vscode.Uri): Promise<vscode.Diagnostic[]> {
  const { findTapeSecrets, decodeTapeFile } = await tapeReading();
  const bytes = await vscode.workspace.fs.readFile(uri).then(
    (content) => content,
    // A file that is gone by now has no secrets; the store tells when it is back.
    () => undefined,
  );
  if (bytes === undefined) return [];
  const file = decodeTapeFile(uri.path, bytes);
  const findings = findTapeSecrets(file);
  if (findings.length === 0) return [];
  const lines = new LineIndex(file.text);
  return findings.map((finding) => {
    const diagnostic = diagnosticOf(finding, rangeOf(finding, lines));
    diagnostic.code = finding.rule;
    return diagnostic;
  });
}
