import * as vscode from 'vscode';
import { isBaselinePath } from '../../core/project/layout';
import type { SubjectParams } from '../../protocol/engineReviews';
import { isOneOf, isShape, isText } from '../../protocol/guards';
import type { ReviewSummary } from '../../protocol/review';
import { caseUriIn, relativeCasePath } from '../base/caseUri';
import { HumanError } from '../base/humanError';

/** Where the editor finds a review: that of a case's last run, or of a changed file. */
export interface ReviewAddress {
  readonly about: 'run' | 'file';
  readonly uri: vscode.Uri;
}

/** The address as a text, for the state of a page and as a key of maps. */
export function writeReviewAddress({ about, uri }: ReviewAddress): string {
  return JSON.stringify({ about, uri: uri.toString() });
}

const isWritten = isShape<{ readonly about: ReviewAddress['about']; readonly uri: string }>({
  about: isOneOf('run', 'file'),
  uri: isText,
});

/** Undefined for a text that is not an address: texts come from pages and documents that anyone can open. */
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

/** The address of an entry of a project's queue. */
export function summaryAddress(root: vscode.Uri, { path, kind }: ReviewSummary): ReviewAddress {
  if (kind === 'run') return { about: 'run', uri: caseUriIn(root, path) };
  return { about: 'file', uri: vscode.Uri.joinPath(root, path) };
}

/** The same review as the engine addresses it. */
export function subjectOf({ about, uri }: ReviewAddress): SubjectParams {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined)
    throw new HumanError(`${uri.fsPath} is in no folder of this workspace. Open its folder to review it.`);
  const root = folder.uri.fsPath;
  if (about === 'run') return { root, subject: { kind: 'run', path: relativeCasePath(uri) } };
  const path = vscode.workspace.asRelativePath(uri, false);
  return { root, subject: { kind: isBaselinePath(path) ? 'baseline' : 'tape', path } };
}
