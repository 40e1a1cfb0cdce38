import type * as vscode from 'vscode';
import { parseDocument } from '../../core/schema/parseDocument';
import { shape, text } from '../../core/schema/schema';

const GIT_QUERY = shape({ ref: text() });

/**
 * The version that a document of git's own extension shows: a commit, `HEAD`, or `~` for the index; undefined for any other document,
 * also of that scheme, which anyone can open.
 */
export function gitRefOf({ scheme, query }: vscode.Uri): string | undefined {
  return scheme === 'git' ? parseDocument(GIT_QUERY, query)?.ref : undefined;
}

/** Whether a version is the last commit, or what is staged. */
export function isLastCommitOrIndex(ref: string): boolean {
  return ref === 'HEAD' || /^~?\d?$/.test(ref);
}
