import * as vscode from 'vscode';
import type { CaseReference } from '../../../core/cases/toml/languageFeatures';
import { looksLikeCase } from '../../../core/cases/toml/looksLikeCase';
import { tapeReading } from '../../base/tapeReading';
import { rangeIn } from './rangeIn';

/** The name of a tape, or of the case itself, at a place of a case. */
export async function caseReferenceAt(
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<CaseReference | undefined> {
  const text = document.getText();
  if (!looksLikeCase(text)) return undefined;
  const { caseReferences } = await tapeReading();
  return caseReferences(text).find(({ span }) => rangeIn(document, span).contains(position));
}

/** The file that a case calls `path`. */
export function tapeNamed(document: vscode.TextDocument, path: string): vscode.Uri {
  return vscode.Uri.joinPath(document.uri, '..', path);
}
