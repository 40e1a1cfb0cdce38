import * as vscode from 'vscode';
import { t } from '../../core/text/l10n';
import { toDiagnostic } from '../base/diagnostics';
import { DisposableStore } from '../base/disposable';
import type { TapeStore } from '../stores/tapes/tapeStore';
import type { TapeTestStore } from '../stores/tapes/tapeTestStore';

/** Reports the tapes that no test uses in the Problems view. */
export function registerOrphans(tapes: TapeStore, tests: TapeTestStore): vscode.Disposable {
  const owned = new DisposableStore();
  const collection = owned.add(vscode.languages.createDiagnosticCollection('tapedeck.orphans'));
  /** The reason for each orphan, by the URI of the tape. */
  const orphans = new Map<string, string>();
  const update = async (uris: readonly vscode.Uri[]): Promise<void> => {
    for (const uri of uris) {
      const tape = tapes.get(uri);
      const reason = tape && (await tests.orphanReason(tape));
      const key = uri.toString();
      // There may be thousands of tapes, so only changes are reported.
      if (reason === orphans.get(key)) continue;
      collection.set(uri, reason === undefined ? [] : [orphanDiagnostic(reason)]);
      if (reason === undefined) orphans.delete(key);
      else orphans.set(key, reason);
    }
  };
  owned.add(tapes.onDidChange(({ uris }) => void update(uris)));
  owned.add(tests.onDidChange(() => void update(tapes.all().map(({ uri }) => uri))));
  return owned;
}

function orphanDiagnostic(reason: string): vscode.Diagnostic {
  const problem = {
    severity: 'warning' as const,
    message: t('this tape is orphaned: {0}', reason),
    fix: t('Delete it, or let a test use it again.'),
    span: { start: 0, end: 0 },
  };
  const diagnostic = toDiagnostic(problem, new vscode.Range(0, 0, 0, 0));
  diagnostic.code = 'orphan';
  return diagnostic;
}
