import type * as vscode from 'vscode';
import type { TapeStore } from '../tapes/tapeStore';
import { type CaseEntry, tapeUris } from './caseEntry';

/** The tapes that a case names, and its own file if that is also a recording, such as a session. */
export function tapesOfCase(entry: CaseEntry, tapes: Pick<TapeStore, 'get'>): readonly vscode.Uri[] {
  const isTape = entry.listed?.id === undefined && tapes.get(entry.file) !== undefined;
  const uris = [...tapeUris(entry), ...(isTape ? [entry.file] : [])];
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
}

/** The first of them that exists. */
export function tapeOfCase(entry: CaseEntry, tapes: Pick<TapeStore, 'get' | 'isUnread'>): vscode.Uri | undefined {
  return tapesOfCase(entry, tapes).find((uri) => tapes.get(uri) !== undefined || tapes.isUnread(uri));
}
