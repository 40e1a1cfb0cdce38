import * as vscode from 'vscode';
import type { CaseKind, ListedCase } from '../../core/cases/caseKind';
import { LineIndex, type Problem, type Span } from '../../core/text/source';

/** A case of the workspace as it is now. A case whose file is broken just now keeps what it last had. */
export interface CaseEntry {
  /** Of the file; where that holds several cases, with the id of this one as fragment. */
  readonly uri: vscode.Uri;
  readonly file: vscode.Uri;
  readonly folder: vscode.WorkspaceFolder;
  /** The path of the file from the workspace folder, with `/`. */
  readonly relativePath: string;
  readonly kind: CaseKind;
  readonly name: string;
  /** The line lenses, tests and messages about the whole case belong to. */
  readonly headLine: number;
  /** What the file says of the case; undefined where it was never in order. */
  readonly listed: ListedCase | undefined;
  /** The file has problems just now. */
  readonly isBroken: boolean;
  /** Of the file; the first of its cases has them all. */
  readonly problems: readonly Problem[];
  range(span: Span): vscode.Range;
}

/** The tapes that belong to a case: the one it replays first. */
export function tapeUris({ file, listed }: CaseEntry): vscode.Uri[] {
  return (listed?.tapes ?? []).map((name) => vscode.Uri.joinPath(file, '..', name));
}

/** The cases of a file: always one at least. `previous`: those it had before. */
export function readCaseEntries(
  file: vscode.Uri,
  folder: vscode.WorkspaceFolder,
  kind: CaseKind,
  text: string,
  previous: readonly CaseEntry[],
): readonly CaseEntry[] {
  const relativePath = vscode.workspace.asRelativePath(file, false);
  const { cases, problems } = kind.list(text, relativePath);
  const lines = new LineIndex(text);
  const common = {
    file,
    folder,
    relativePath,
    kind,
    range: (span: Span) => new vscode.Range(vscodePosition(lines, span.start), vscodePosition(lines, span.end)),
  };
  const isBroken = cases.length === 0;
  const found: readonly Pick<CaseEntry, 'uri' | 'name' | 'headLine' | 'listed'>[] = isBroken
    ? previousEntries(file, relativePath, text, previous)
    : cases.map((listed) => ({
        uri: listed.id === undefined ? file : file.with({ fragment: listed.id }),
        name: listed.name,
        headLine: lines.position(listed.span.start).line - 1,
        listed,
      }));
  return found.map((entry, index) => ({ ...common, ...entry, isBroken, problems: index === 0 ? problems : [] }));
}

/** What is shown of a file that does not parse: the cases it had, where they were; of a TOML case the line is still found. */
function previousEntries(file: vscode.Uri, relativePath: string, text: string, previous: readonly CaseEntry[]) {
  const name = relativePath.slice(relativePath.lastIndexOf('/') + 1);
  const line = /\.toml$/i.test(relativePath) ? nameLine(text) : undefined;
  if (previous.length === 0) return [{ uri: file, name, headLine: line ?? 0, listed: undefined }];
  return previous.map((entry) => ({ ...entry, headLine: line ?? entry.headLine }));
}

function vscodePosition(lines: LineIndex, offset: number): vscode.Position {
  const { line, column } = lines.position(offset);
  return new vscode.Position(line - 1, column - 1);
}

/** Where `name` stands. Found by a scan, so that it stays put while the TOML does not parse. */
function nameLine(text: string): number | undefined {
  const at = text.search(/^[ \t]*name[ \t]*=/m);
  return at === -1 ? undefined : new LineIndex(text).position(at).line - 1;
}
