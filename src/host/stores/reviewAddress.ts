import * as vscode from 'vscode';
import { isOneOf, isShape, isText } from '../../protocol/guards';
import type { ReviewSummary } from '../../protocol/review';
import { caseUriIn } from '../base/caseUri';

/** Whose review it is: that of a case's last run, or of what changed in a file. */
export interface ReviewAddress {
  readonly about: 'run' | 'file';
  readonly uri: vscode.Uri;
}

/** The same as a text, for what a page remembers and for maps. */
export function writeReviewAddress({ about, uri }: ReviewAddress): string {
  return JSON.stringify({ about, uri: uri.toString() });
}

const isWritten = isShape<{ readonly about: ReviewAddress['about']; readonly uri: string }>({
  about: isOneOf('run', 'file'),
  uri: isText,
});

/** Undefined for what is no address; it comes from pages and documents that anyone can open. */
export function readReviewAddress(text: string): ReviewAddress | undefined {
  try {
    const written: unknown = JSON.parse(text);
    return isWritten(written) ? { about: written.about, uri: vscode.Uri.parse(written.uri, true) } : undefined;
  } catch {
    return undefined;
  }
}

export function isSameReview(left: ReviewAddress, right: ReviewAddress): boolean {
  return left.about === right.about && left.uri.toString() === right.uri.toString();
}

/** Where an entry of a project's queue leads. */
export function summaryAddress(root: vscode.Uri, { path, kind }: ReviewSummary): ReviewAddress {
  if (kind === 'run') return { about: 'run', uri: caseUriIn(root, path) };
  return { about: 'file', uri: vscode.Uri.joinPath(root, path) };
}
