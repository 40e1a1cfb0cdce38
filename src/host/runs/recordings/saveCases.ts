import * as vscode from 'vscode';
import type { CaseEntry } from '../../stores/cases/caseEntry';

/** Saves the files of the cases, because the engine reads them from disk. */
export async function saveCases(entries: readonly CaseEntry[]): Promise<void> {
  const files = new Set(entries.map(({ file }) => file.toString()));
  const dirty = vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && files.has(uri.toString()));
  await Promise.all(dirty.map((document) => document.save()));
}
