import type * as vscode from 'vscode';
import { type CaseEntry, tapeUris } from './caseEntry';
import type { TapeStore } from './tapeStore';

/** The tapes of a case that exist, including its own file if that is also a recording, such as a session. */
export function tapesOfCase(entry: CaseEntry, tapes: Pick<TapeStore, 'get' | 'isUnread'>): readonly vscode.Uri[] {
  const exists = (uri: vscode.Uri): boolean => tapes.get(uri) !== undefined || tapes.isUnread(uri);
  const own = entry.listed?.id === undefined ? [entry.file] : [];
  const found = [...tapeUris(entry), ...own].filter(exists);
  return [...new Map(found.map((uri) => [uri.toString(), uri])).values()];
}
