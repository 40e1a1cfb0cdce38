import * as vscode from 'vscode';
import type { Case } from '../../core/cases/case';
import { readCase } from '../../core/cases/readCase';
import { LineIndex, type Problem, type Span } from '../../core/text/source';

/** A case file of the workspace as it is now. A case that is broken just now keeps the name it last had. */
export interface CaseEntry {
  readonly uri: vscode.Uri;
  readonly folder: vscode.WorkspaceFolder;
  /** From the workspace folder, with `/`. */
  readonly relativePath: string;
  readonly name: string;
  /** The line lenses, tests and messages about the whole case belong to. */
  readonly headLine: number;
  /** Undefined while the file has problems. */
  readonly definition: Case | undefined;
  readonly problems: readonly Problem[];
  range(span: Span): vscode.Range;
}

export function readCaseEntry(
  uri: vscode.Uri,
  folder: vscode.WorkspaceFolder,
  text: string,
  previous: CaseEntry | undefined,
): CaseEntry {
  const { value: definition, problems } = readCase(text);
  const relativePath = vscode.workspace.asRelativePath(uri, false);
  const lines = new LineIndex(text);
  return {
    uri,
    folder,
    relativePath,
    name: definition?.name ?? previous?.name ?? relativePath.slice(relativePath.lastIndexOf('/') + 1),
    headLine: headLine(text),
    definition,
    problems,
    range: (span) => new vscode.Range(vscodePosition(lines, span.start), vscodePosition(lines, span.end)),
  };
}

function vscodePosition(lines: LineIndex, offset: number): vscode.Position {
  const { line, column } = lines.position(offset);
  return new vscode.Position(line - 1, column - 1);
}

/** Where `name` stands. Found by a scan, so that it stays put while the TOML does not parse. */
function headLine(text: string): number {
  const at = text.search(/^[ \t]*name[ \t]*=/m);
  return at === -1 ? 0 : new LineIndex(text).position(at).line - 1;
}
