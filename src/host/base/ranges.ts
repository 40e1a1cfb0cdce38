import * as vscode from 'vscode';
import type { Span } from '../../core/text/source';

export function spanRange(document: vscode.TextDocument, { start, end }: Span): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
