import * as vscode from 'vscode';
import { LineIndex } from '../../core/text/source';
import { loadCore } from '../../reader/loadCore';
import { toDiagnostic } from '../base/diagnostics';
import { problemRange } from '../base/ranges';
import type { TapeStore } from '../stores/tapeStore';
import type { ProjectSecrets } from './projectSecrets';
import { TapeQuickFixes } from './tapeQuickFixes';

/** Shows the problems and secrets of the tapes in the Problems view, with their quick fixes. */
export function registerTapeDiagnostics(tapes: TapeStore, secrets: ProjectSecrets): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('tapedeck.tapes');
  const subscription = tapes.onDidChange(({ uris }) => {
    for (const uri of uris) {
      const problems = tapes.get(uri)?.problems ?? [];
      collection.set(
        uri,
        problems.map((problem) => toDiagnostic(problem, problem.range)),
      );
    }
  });
  const quickFixes = vscode.languages.registerCodeActionsProvider({ scheme: '*' }, new TapeQuickFixes(tapes, secrets), {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
  return vscode.Disposable.from(collection, subscription, quickFixes, new SecretDiagnostics(tapes, secrets));
}

/**
 * The secrets in the tapes, in the Problems view. The search reads every character of a file, so it runs on one file at
 * a time, and again only on files that have changed.
 */
export class SecretDiagnostics implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection('tapedeck.secrets');
  readonly #waiting = new Map<string, vscode.Uri>();
  readonly #subscription: vscode.Disposable;
  #isSearching = false;
  #isDisposed = false;

  constructor(
    private readonly tapes: TapeStore,
    private readonly secrets: ProjectSecrets,
  ) {
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
        const found = this.tapes.get(uri) === undefined ? [] : await secretsIn(uri, this.secrets);
        if (this.#isDisposed) return;
        this.#collection.set(uri, found);
      }
    } finally {
      this.#isSearching = false;
    }
  }
}

async function secretsIn(uri: vscode.Uri, secrets: ProjectSecrets): Promise<vscode.Diagnostic[]> {
  const { findTapeSecrets, decodeTapeFile } = await loadCore();
  const bytes = await vscode.workspace.fs.readFile(uri).then(
    (content) => content,
    // A file that is gone has no secrets; the store fires an event when it is back.
    () => undefined,
  );
  if (bytes === undefined) return [];
  const file = decodeTapeFile(uri.path, bytes);
  const findings = findTapeSecrets(file, await secrets.searchFor(uri));
  if (findings.length === 0) return [];
  const lines = new LineIndex(file.text);
  return findings.map((finding) => {
    const diagnostic = toDiagnostic(finding, problemRange(finding, lines));
    diagnostic.code = finding.rule;
    return diagnostic;
  });
}
