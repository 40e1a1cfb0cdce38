import * as vscode from 'vscode';
import { parseCaseAddress, writeCaseAddress } from '../../core/project/caseAddress';

/** A case is known by the URI of its file; where the file holds several, the id of the case is the URI's fragment. */

/** How the engine names a case: `FILE`, or `FILE#ID`. */
export function enginePathOf({ fsPath, fragment }: vscode.Uri): string {
  return writeCaseAddress({ path: fsPath, ...(fragment === '' ? {} : { id: fragment }) });
}

/** The same, from the workspace folder of the case, with `/`. */
export function relativeCasePath(uri: vscode.Uri): string {
  const path = vscode.workspace.asRelativePath(caseFileOf(uri), false);
  return writeCaseAddress({ path, ...(uri.fragment === '' ? {} : { id: uri.fragment }) });
}

/** The case that the engine calls `casePath`. */
export function caseUri(casePath: string): vscode.Uri {
  const { path, id = '' } = parseCaseAddress(casePath);
  return vscode.Uri.file(path).with({ fragment: id });
}

/** The case at a path from its workspace folder. */
export function caseUriIn(folder: vscode.Uri, casePath: string): vscode.Uri {
  const { path, id = '' } = parseCaseAddress(casePath);
  return vscode.Uri.joinPath(folder, path).with({ fragment: id });
}

/** The file that a case stands in. */
export function caseFileOf(uri: vscode.Uri): vscode.Uri {
  return uri.fragment === '' ? uri : uri.with({ fragment: '' });
}
