import * as vscode from 'vscode';
import type { RecordingSide } from '../../../contracts/engine/comparisons';
import type { SubjectParams } from '../../../contracts/engine/engineReviews';
import type { ReviewSubject } from '../../../contracts/engine/review';
import { isBaselinePath } from '../../../core/project/layout';
import { parseDocument } from '../../../core/schema/parseDocument';
import { constant, either, optional, shape, text, trusted, type Value } from '../../../core/schema/schema';
import { t } from '../../../core/text/l10n';
import { caseUriIn, relativeCasePath } from '../../base/caseUri';
import { HumanError } from '../../base/humanError';

/** Identifies a review in the editor: that of a case's last run, that of a changed file, or a comparison of any two recordings. */
export type ReviewAddress = ChangeAddress | ComparisonAddress;

export interface ChangeAddress {
  readonly about: 'run' | 'file';
  readonly uri: vscode.Uri;
}

export interface ComparisonAddress {
  readonly about: 'comparison';
  /** Of the later side. */
  readonly uri: vscode.Uri;
  readonly before: ComparedFile;
  readonly after: ComparedFile;
}

/** A recorded file: the current one, its version in a commit, or a take that was replaced. */
export interface ComparedFile {
  readonly uri: vscode.Uri;
  readonly revision?: string;
  /** The file name of the take. */
  readonly take?: string;
}

export function comparisonOf(before: ComparedFile, after: ComparedFile): ComparisonAddress {
  return { about: 'comparison', uri: after.uri, before, after };
}

/** The address as a text, for the state of a page and as a key of maps. */
export function writeReviewAddress(address: ReviewAddress): string {
  const { about, uri } = address;
  if (about !== 'comparison') return JSON.stringify({ about, uri: uri.toString() });
  const [before, after] = [address.before, address.after].map((file) => ({ ...file, uri: file.uri.toString() }));
  return JSON.stringify({ about, before, after });
}

const WRITTEN_FILE = trusted<Omit<ComparedFile, 'uri'> & { readonly uri: string }>(
  shape({ uri: text(), revision: optional(text()), take: optional(text()) }),
);
type WrittenFile = Value<typeof WRITTEN_FILE>;
const WRITTEN = either(
  shape({ about: text('', { enum: ['run', 'file'] }), uri: text() }),
  shape({ about: constant('comparison'), before: WRITTEN_FILE, after: WRITTEN_FILE }),
);

/** Parses an address; undefined for any other text, which a page or a document may contain. */
export function readReviewAddress(address: string): ReviewAddress | undefined {
  try {
    const written = parseDocument(WRITTEN, address);
    if (written === undefined) return undefined;
    if (written.about === 'comparison') return comparisonOf(readFile(written.before), readFile(written.after));
    return { about: written.about, uri: vscode.Uri.parse(written.uri, true) };
  } catch {
    // A file is at no address.
    return undefined;
  }
}

function readFile(file: WrittenFile): ComparedFile {
  return { ...file, uri: vscode.Uri.parse(file.uri, true) };
}

export function isSameReview(left: ReviewAddress, right: ReviewAddress): boolean {
  if (left.about !== right.about || left.uri.toString() !== right.uri.toString()) return false;
  return left.about !== 'comparison' || writeReviewAddress(left) === writeReviewAddress(right);
}

/** The address of an entry in the queue of the project at `root`. */
export function summaryAddress(root: vscode.Uri, { path, kind }: ReviewSubject): ChangeAddress {
  if (kind === 'run') return { about: 'run', uri: caseUriIn(root, path) };
  return { about: 'file', uri: vscode.Uri.joinPath(root, path) };
}

/** The review as the engine identifies it. Throws when its file is outside the workspace, and for a comparison. */
export function subjectOf({ about, uri }: ReviewAddress): SubjectParams {
  if (about === 'comparison') throw new HumanError(t('There is nothing to decide in a comparison.'));
  const { root, path } = placeOf(uri);
  if (about === 'run') return { root, subject: { kind: 'run', path: relativeCasePath(uri) } };
  return { root, subject: { kind: isBaselinePath(path) ? 'baseline' : 'tape', path } };
}

/** A side of a comparison as the engine identifies it. Throws when its file is outside the workspace. */
export function sideOf({ uri, ...version }: ComparedFile): RecordingSide {
  return { ...placeOf(uri), ...version };
}

/** Whether the engine reaches a file: it is in a folder of the workspace that is on a disk. */
export function isOnDisk(uri: vscode.Uri): boolean {
  return vscode.workspace.getWorkspaceFolder(uri)?.uri.scheme === 'file';
}

function placeOf(uri: vscode.Uri): { readonly root: string; readonly path: string } {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder !== undefined) return { root: folder.uri.fsPath, path: vscode.workspace.asRelativePath(uri, false) };
  throw new HumanError(t('{0} is not in a folder of this workspace. Open its folder first.', uri.fsPath));
}
