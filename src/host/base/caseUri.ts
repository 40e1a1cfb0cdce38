import * as vscode from 'vscode';
import { parseCaseAddress, writeCaseAddress } from '../../core/project/caseAddress';

/** A case is identified by the URI of its file. In a file with several cases, the URI's fragment is the case's id. */

/** The path of a case for the engine: `FILE`, or `FILE#ID`. */
export function enginePathOf({ fsPath, fragment }: vscode.Uri): string {
  return writeCaseAddress({ path: fsPath, ...(fragment === '' ? {} : { id: fragment }) });
}

/** The same path relative to the workspace folder of the case, with `/`. */
export function relativeCasePath(uri: vscode.Uri): string {
  const path = vscode.workspace.asRelativePath(caseFileOf(uri), false);
  return writeCaseAddress({ path, ...(uri.fragment === '' ? {} : { id: uri.fragment }) });
}

/** The URI of the case that the engine identifies by `casePath`. */
export function caseUri(casePath: string): vscode.Uri {
  const { path, id = '' } = parseCaseAddress(casePath);
  return vscode.Uri.file(path).with({ fragment: id });
}

/** The URI of the case at a path relative to its workspace folder. */
export function caseUriIn(folder: vscode.Uri, casePath: string): vscode.Uri {
  const { path, id = '' } = parseCaseAddress(casePath);
  return vscode.Uri.joinPath(folder, path).with({ fragment: id });
}

/** The URI of the file that contains a case. */
export function caseFileOf(uri: vscode.Uri): vscode.Uri {
  return uri.fragment === '' ? uri : uri.with({ fragment: '' });
}
