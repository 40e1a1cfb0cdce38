import * as vscode from 'vscode';
import { describeSharing } from '../../core/cases/sharedTapes';
import { t } from '../../core/text/l10n';
import { Debouncer } from '../base/debounce';
import { toDiagnostic } from '../base/diagnostics';
import { DisposableStore } from '../base/disposable';
import type { CaseEntry } from '../stores/cases/caseEntry';
import type { CaseStore } from '../stores/cases/caseStore';
import { type EntryTapeUser, readSharedTapes } from '../stores/cases/sharedTapes';

/** One change of a case may concern any other, so that all are compared, when nothing has changed for a while. */
const SETTLE_MS = 300;
/** The most cases that share a tape at which this is reported: each of thousands would name all others. */
const MOST_TOLD = 100;

/** Shows in the Problems view where a case names a tape that a recording of another case replaces, or the other way round. */
export function registerSharedTapeDiagnostics(cases: CaseStore): vscode.Disposable {
  const owned = new DisposableStore();
  const collection = owned.add(vscode.languages.createDiagnosticCollection('tapedeck.sharedTapes'));
  const update = async (): Promise<void> => {
    const shared = await readSharedTapes(cases.all());
    if (owned.isDisposed) return;
    collection.clear();
    const found = [...shared].flatMap(([tape, users]) => {
      const told = users.slice(0, MOST_TOLD);
      return told.map((user) => diagnosticOf(tape, user, told));
    });
    for (const [file, diagnostics] of byFile(found)) collection.set(file, diagnostics);
  };
  const debounced = owned.add(new Debouncer<'all'>(SETTLE_MS, () => void update()));
  owned.add(cases.onDidChange(() => debounced.add('all', 'all')));
  debounced.add('all', 'all');
  return owned;
}

interface Found {
  readonly entry: CaseEntry;
  readonly diagnostic: vscode.Diagnostic;
}

function diagnosticOf(tape: string, user: EntryTapeUser, users: readonly EntryTapeUser[]): Found {
  const { entry } = user;
  const { listed } = entry;
  const span = listed?.tapeSpan ?? listed?.span;
  const range = span === undefined ? new vscode.Range(entry.headLine, 0, entry.headLine, 0) : entry.range(span);
  const problem = { ...describeSharing(tape, user, users), span: span ?? { start: 0, end: 0 } };
  const diagnostic = toDiagnostic(problem, range);
  const others = users.filter(({ file }) => file !== user.file);
  diagnostic.relatedInformation = others.map(
    (other) =>
      new vscode.DiagnosticRelatedInformation(locationOf(other.entry), t('{0} uses the tape, too', other.label)),
  );
  return { entry, diagnostic };
}

function locationOf({ file, listed, headLine, range }: CaseEntry): vscode.Location {
  const span = listed?.tapeSpan ?? listed?.span;
  return new vscode.Location(file, span === undefined ? new vscode.Position(headLine, 0) : range(span));
}

function byFile(found: readonly Found[]): readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[] {
  const files = new Map<string, [vscode.Uri, vscode.Diagnostic[]]>();
  for (const { entry, diagnostic } of found) {
    const known = files.get(entry.file.toString());
    if (known === undefined) files.set(entry.file.toString(), [entry.file, [diagnostic]]);
    else known[1].push(diagnostic);
  }
  return [...files.values()];
}
