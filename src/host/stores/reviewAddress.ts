import * as vscode from 'vscode';
import { isBaselinePath } from '../../core/project/layout';
import type { SubjectParams } from '../../protocol/engineReviews';
import { isOneOf, isShape, isText } from '../../protocol/guards';
import type { ReviewSummary } from '../../protocol/review';
import { caseUriIn, relativeCasePath } from '../base/caseUri';
import { HumanError } from '../base/humanError';

/** Identifies a review in the editor: that of a case's last run, or that of a changed file. */
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

/** Parses an address; undefined for any other text, which a page or a document may contain. */
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

/** The address of an entry in the queue of the project at `root`. */
export function summaryAddress(root: vscode.Uri, { path, kind }: ReviewSummary): ReviewAddress {
  if (kind === 'run') return { about: 'run', uri: caseUriIn(root, path) };
  return { about: 'file', uri: vscode.Uri.joinPath(root, path) };
}

/** The review as the engine identifies it. Throws when its file is outside the workspace. */
export function subjectOf({ about, uri }: ReviewAddress): SubjectParams {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined)
    throw new HumanError(`${uri.fsPath} is not in a folder of this workspace. Open its folder to review it.`);
  const root = folder.uri.fsPath;
  if (about === 'run') return { root, subject: { kind: 'run', path: relativeCasePath(uri) } };
  const path = vscode.workspace.asRelativePath(uri, false);
  return { root, subject: { kind: isBaselinePath(path) ? 'baseline' : 'tape', path } };
}
