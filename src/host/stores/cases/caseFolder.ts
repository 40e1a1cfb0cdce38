import * as vscode from 'vscode';
import { fileExists } from '../../base/files';
import type { CaseStore } from './caseStore';

/** A folder for a new case. */
export interface CaseFolder {
  readonly folder: vscode.Uri;
  /** The names of the files in it. */
  readonly taken: ReadonlySet<string>;
}

export async function caseFolder(folder: vscode.Uri): Promise<CaseFolder> {
  const entries = (await fileExists(folder)) ? await vscode.workspace.fs.readDirectory(folder) : [];
  return { folder, taken: new Set(entries.map(([name]) => name)) };
}

/** Where most TOML cases of a workspace folder are; `cases` where there are none. */
export async function folderForCases(root: vscode.Uri, cases: Pick<CaseStore, 'load' | 'all'>): Promise<vscode.Uri> {
  await cases.load();
  const counts = new Map<string, number>();
  for (const { file, folder, kind } of cases.all()) {
    if (kind.id !== 'toml' || folder.uri.toString() !== root.toString()) continue;
    const parent = vscode.Uri.joinPath(file, '..').toString();
    counts.set(parent, (counts.get(parent) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, left], [, right]) => right - left);
  return most === undefined ? vscode.Uri.joinPath(root, 'cases') : vscode.Uri.parse(most[0]);
}

/** The name of the file of a case. */
export function caseFileName(name: string): string {
  return `${name.trim().replace(/[^\p{L}\p{N}._-]+/gu, '_')}.toml`;
}

/** `name`, or `name_2`, `name_3`, … where there is a case of that name. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}_${number}`;
    if (!taken.has(caseFileName(candidate))) return candidate;
  }
}
