import * as vscode from 'vscode';
import { recordedByTests } from '../../../core/cases/caseKind';
import { findSharedTapes, type TapeUser } from '../../../core/cases/sharedTapes';
import { relativeCasePath } from '../../base/caseUri';
import { type CaseEntry, tapeUris } from './caseEntry';
import { readProjectProvider } from './projectProvider';

/** A case that shares a tape. Tapes and files are URIs as texts. */
export interface EntryTapeUser extends TapeUser {
  readonly entry: CaseEntry;
}

/** The users of each tape that a case records and that cases of other files use as well, by the URI of the tape. */
export async function readSharedTapes(
  entries: readonly CaseEntry[],
): Promise<ReadonlyMap<string, readonly EntryTapeUser[]>> {
  const folders = new Map(entries.map(({ folder }) => [folder.uri.toString(), folder.uri]));
  const withProvider = new Set<string>();
  for (const [key, uri] of folders) if ((await readProjectProvider(uri)) !== undefined) withProvider.add(key);
  const users = entries
    // A tape that is a case by itself uses no other.
    .filter(({ kind }) => !('format' in kind) && recordedByTests(kind) === undefined)
    .map((entry) => tapeUser(entry, withProvider.has(entry.folder.uri.toString())));
  return findSharedTapes(users);
}

function tapeUser(entry: CaseEntry, hasProvider: boolean): EntryTapeUser {
  const { recordedTape, provider, ownAgent, asks } = entry.listed ?? {};
  const callsSomeone = provider !== undefined || ownAgent !== undefined || asks !== undefined || hasProvider;
  const records =
    recordedTape !== undefined && callsSomeone
      ? { records: vscode.Uri.joinPath(entry.file, '..', recordedTape).toString() }
      : {};
  return {
    entry,
    file: entry.file.toString(),
    label: relativeCasePath(entry.uri),
    tapes: tapeUris(entry).map(String),
    ...records,
  };
}
