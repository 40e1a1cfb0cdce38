import type * as vscode from 'vscode';
import { accepts } from '../../core/schema/accepts';
import { shape, text } from '../../core/schema/schema';

const GIT_QUERY = shape({ ref: text() });

/** The version that a document of git's own extension shows: a commit, `HEAD`, or `~` for the index; undefined for any other document. */
export function gitRefOf({ scheme, query }: vscode.Uri): string | undefined {
  if (scheme !== 'git') return undefined;
  try {
    const parsed: unknown = JSON.parse(query);
    return accepts(GIT_QUERY, parsed) ? parsed.ref : undefined;
  } catch {
    // Anyone can open a document of that scheme.
    return undefined;
  }
}

/** Whether a version is the last commit, or what is staged. */
export function isLastCommitOrIndex(ref: string): boolean {
  return ref === 'HEAD' || /^~?\d?$/.test(ref);
}
