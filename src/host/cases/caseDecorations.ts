import * as vscode from 'vscode';
import { type CaseState, isOutdated } from '../../core/runs/caseState';
import type { CaseStates } from '../stores/cases/caseStates';

/** Rows have URIs of their own, so that the explorer does not show what is decorated here. */
const SCHEME = 'tapedeck-case';

/** The URI by which the row of a case or folder is decorated. */
export function rowUri(uri: vscode.Uri): vscode.Uri {
  return uri.with({ scheme: SCHEME });
}

/**
 * Counts and colours the changes to review of cases, and colours the folders that they are in, as Source Control does with
 * changed files. Outdated results are faded.
 */
export function registerCaseDecorations(states: CaseStates): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri[]>();
  /** The rows that VS Code has drawn: of thousands of others it need not hear. */
  const drawn = new Set<string>();
  const provider: vscode.FileDecorationProvider = {
    onDidChangeFileDecorations: changed.event,
    async provideFileDecoration(uri) {
      if (uri.scheme !== SCHEME) return undefined;
      const found = caseOf(uri);
      if (found !== undefined) drawn.add(found.toString());
      return found && decorationOf((await states.get(found)).state);
    },
  };
  const update = states.onDidChange((uris) => {
    const rows = uris.filter((uri) => drawn.has(uri.toString()));
    if (rows.length > 0) changed.fire(rows.map(rowUri));
  });
  return vscode.Disposable.from(changed, update, vscode.window.registerFileDecorationProvider(provider));
}

/** A badge has two characters at most. */
const MAX_BADGE = 99;

/** Without words: the row's own tooltip has them. */
function decorationOf(state: CaseState): vscode.FileDecoration | undefined {
  const { pending } = state;
  const badge = pending === 0 ? undefined : pending > MAX_BADGE ? '+' : `${pending}`;
  if (badge === undefined && !isOutdated(state)) return undefined;
  const colour = badge === undefined ? 'list.deemphasizedForeground' : 'gitDecoration.modifiedResourceForeground';
  const decoration = new vscode.FileDecoration(badge, undefined, new vscode.ThemeColor(colour));
  decoration.propagate = badge !== undefined;
  return decoration;
}

/** The folder of the workspace has the scheme that the row's URI has lost. */
function caseOf(row: vscode.Uri): vscode.Uri | undefined {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => isIn(row, uri));
  return folder && row.with({ scheme: folder.uri.scheme });
}

function isIn(row: vscode.Uri, folder: vscode.Uri): boolean {
  return row.authority === folder.authority && row.path.startsWith(`${folder.path.replace(/\/$/, '')}/`);
}
