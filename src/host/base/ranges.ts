import * as vscode from 'vscode';
import type { LineIndex, Problem, Span } from '../../core/text/source';

/** The range of a problem in an editor; the start of the file when it has no lines, because it is not text. */
export function problemRange({ span }: Problem, lines: LineIndex | undefined): vscode.Range {
  const place = (offset: number): vscode.Position => {
    const { line, column } = lines?.position(offset) ?? { line: 1, column: 1 };
    return new vscode.Position(line - 1, column - 1);
  };
  return new vscode.Range(place(span.start), place(span.end));
}

export function spanRange(document: vscode.TextDocument, { start, end }: Span): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
