import * as vscode from 'vscode';
import type { CaseKind, ListedCase } from '../../../core/cases/caseKind';
import { LineIndex, type Problem, type Span } from '../../../core/text/source';

/** A case of the workspace. While its file cannot be read, it keeps the data of the last time it could. */
export interface CaseEntry {
  /** The URI of the file; if that contains several cases, with this one's id as fragment. */
  readonly uri: vscode.Uri;
  readonly file: vscode.Uri;
  readonly folder: vscode.WorkspaceFolder;
  /** The path of the file relative to the workspace folder, with `/`. */
  readonly relativePath: string;
  readonly kind: CaseKind;
  readonly name: string;
  /** The line, from 0, where lenses, tests and messages about the whole case are shown. */
  readonly headLine: number;
  /** The content of the case; undefined if the file has never been valid. */
  readonly listed: ListedCase | undefined;
  /** Whether the file cannot be read at present. */
  readonly isBroken: boolean;
  /** The problems of the file, all on the first of its cases. */
  readonly problems: readonly Problem[];
  range(span: Span): vscode.Range;
}

const tapesOf = new WeakMap<CaseEntry, readonly vscode.Uri[]>();

/** The tapes of a case; the first is the one that it replays. */
export function tapeUris(entry: CaseEntry): readonly vscode.Uri[] {
  const known = tapesOf.get(entry);
  if (known !== undefined) return known;
  const uris = (entry.listed?.tapes ?? []).map((name) => vscode.Uri.joinPath(entry.file, '..', name));
  tapesOf.set(entry, uris);
  return uris;
}

/** Lists the cases of a file, at least one. `previous` are those listed before this change. */
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

/** The entries of a file that does not parse: its previous cases on their lines. In TOML, the line is found again. */
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

/** The line of `name`, found without parsing, so that the lenses stay in place while the TOML is invalid. */
function nameLine(text: string): number | undefined {
  const at = text.search(/^[ \t]*name[ \t]*=/m);
  return at === -1 ? undefined : new LineIndex(text).position(at).line - 1;
}
