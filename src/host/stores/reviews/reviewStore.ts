import * as vscode from 'vscode';
import {
  artifactPath,
  baselinePath,
  CONFIG_FILE,
  decisionPath,
  owningCasePath,
  STATE_FOLDER,
} from '../../../core/project/layout';
import { t } from '../../../core/text/l10n';
import { caseFileOf, caseUriIn, relativeCasePath } from '../../base/caseUri';
import { Debouncer } from '../../base/debounce';
import type { OwnState } from '../files/ownState';
import type { ReviewContent, ReviewFile } from './readReview';

/** An artifact, its decision and its baseline are often written together. */
const SETTLE_MS = 50;
/** Those in TOML have rules. */
const WATCHED = `**/{${STATE_FOLDER},${STATE_FOLDER}/runs/**,${STATE_FOLDER}/reviews/**,*.baseline.json,*.toml}`;

export interface Review extends ReviewContent {
  readonly caseUri: vscode.Uri;
}

interface ReviewUris {
  readonly artifact: vscode.Uri;
  readonly baseline: vscode.Uri;
  readonly decision: vscode.Uri;
  readonly config: vscode.Uri;
  readonly case: vscode.Uri;
}

interface Cached {
  readonly caseUri: vscode.Uri;
  readonly stamp: string;
  readonly review: Promise<Review | undefined>;
}

/** The reviews of the last run of each case. The project of a case is its workspace folder. */
export class ReviewStore implements vscode.Disposable {
  readonly #cache = new Map<string, Cached>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #debouncedCases = new Debouncer<vscode.Uri>(SETTLE_MS, (uris) =>
    uris.forEach((uri) => void this.refresh(uri)),
  );
  readonly #watcher = vscode.workspace.createFileSystemWatcher(WATCHED);

  /** Fires with the case whose review may have changed. */
  readonly onDidChange = this.#changed.event;

  readonly #ownership: vscode.Disposable;

  constructor(private readonly own: OwnState) {
    this.#ownership = own.onDidChange((root) => this.#touchProject(root));
    this.#watcher.onDidCreate((file) => this.touch(file));
    this.#watcher.onDidChange((file) => this.touch(file));
    this.#watcher.onDidDelete((file) => this.#touchAllUnder(file));
  }

  /** The review of a case's last run; undefined when it has not run, or is in no workspace folder. Never rejects. */
  async get(caseUri: vscode.Uri): Promise<Review | undefined> {
    const uris = reviewUris(caseUri);
    if (uris === undefined) return undefined;
    const { artifact, ...others } = uris;
    const ran = await stampOf(artifact);
    // Most cases of a large workspace have not run: nothing else of them is checked.
    const stamps = ran === GONE ? [] : await Promise.all(Object.values(others).map(stampOf));
    const stamp = [ran, ...stamps].join(' ');
    const cached = this.#cache.get(caseUri.toString());
    if (cached?.stamp === stamp) return cached.review;
    const review = ran === GONE ? Promise.resolve(undefined) : read(caseUri, uris, this.own);
    this.#cache.set(caseUri.toString(), { caseUri, stamp, review });
    return review;
  }

  /** Drops the cached review of a case and fires the event. */
  refresh(caseUri: vscode.Uri): void {
    this.#cache.delete(caseUri.toString());
    this.#changed.fire(caseUri);
  }

  /** Call it when a file was written that may belong to a review. */
  touch(file: vscode.Uri): void {
    const folder = vscode.workspace.getWorkspaceFolder(file);
    const casePath = owningCasePath(vscode.workspace.asRelativePath(file, false));
    if (folder !== undefined && casePath !== undefined) this.#schedule(caseUriIn(folder.uri, casePath));
    else if (file.path.endsWith('.toml')) this.#touchUsers((used) => used === file.toString());
  }

  dispose(): void {
    this.#debouncedCases.dispose();
    this.#ownership.dispose();
    this.#watcher.dispose();
    this.#changed.dispose();
  }

  /** For a deleted folder, VS Code reports no events for the files in it. */
  #touchAllUnder(gone: vscode.Uri): void {
    this.touch(gone);
    const prefix = `${gone.toString()}/`;
    this.#touchUsers((used) => used.startsWith(prefix));
  }

  #touchProject(root: vscode.Uri): void {
    for (const { caseUri } of [...this.#cache.values()])
      if (vscode.workspace.getWorkspaceFolder(caseUri)?.uri.toString() === root.toString()) this.#schedule(caseUri);
  }

  #touchUsers(matches: (file: string) => boolean): void {
    for (const { caseUri } of this.#cache.values()) {
      const uris = Object.values(reviewUris(caseUri) ?? {});
      if (uris.some((uri) => matches(uri.toString()))) this.#schedule(caseUri);
    }
  }

  #schedule(caseUri: vscode.Uri): void {
    this.#debouncedCases.add(caseUri.toString(), caseUri);
  }
}

/** The number of pending changes of a case. */
export function pendingChanges(review: Review | undefined): number {
  return review?.baseline === undefined ? 0 : review.pending;
}

/** The files of a case's review; undefined for a case outside the workspace. */
export function reviewUris(caseUri: vscode.Uri): ReviewUris | undefined {
  const root = vscode.workspace.getWorkspaceFolder(caseUri)?.uri;
  if (root === undefined) return undefined;
  const casePath = relativeCasePath(caseUri);
  return {
    artifact: vscode.Uri.joinPath(root, artifactPath(casePath)),
    baseline: vscode.Uri.joinPath(root, baselinePath(casePath)),
    decision: vscode.Uri.joinPath(root, decisionPath(casePath)),
    config: vscode.Uri.joinPath(root, CONFIG_FILE),
    case: caseFileOf(caseUri),
  };
}

async function read(caseUri: vscode.Uri, uris: ReviewUris, own: OwnState): Promise<Review | undefined> {
  const readOwn = async (uri: vscode.Uri): Promise<ReviewFile | undefined> => {
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
    const file = root && (await readFile(uri));
    return file && (await own.owns(root, vscode.workspace.asRelativePath(uri, false))) ? file : undefined;
  };
  // Loaded with the first case that has run.
  const { readReview, unreadableReview } = await import('./readReview');
  try {
    const isToml = uris.case.path.endsWith('.toml');
    const [artifact, baseline, decisions, config, ofCase] = await Promise.all([
      readOwn(uris.artifact),
      readFile(uris.baseline),
      readOwn(uris.decision),
      readFile(uris.config),
      isToml ? readFile(uris.case) : undefined,
    ]);
    if (artifact === undefined) return undefined;
    const rules = { ...(config && { config }), ...(ofCase && { case: ofCase }) };
    const others = { ...(baseline && { baseline }), ...(decisions && { decisions }), ...rules };
    return { caseUri, ...(await readReview({ artifact, ...others })) };
  } catch (error) {
    return { caseUri, ...unreadableReview(error instanceof Error ? error.message : String(error)) };
  }
}

/** Undefined when there is no such file. Throws an error that names the file when it cannot be read. */
async function readFile(uri: vscode.Uri): Promise<ReviewFile | undefined> {
  const name = vscode.workspace.asRelativePath(uri, false);
  try {
    return { name, bytes: await vscode.workspace.fs.readFile(uri) };
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw new Error(t('{0} cannot be read: {1}', name, error instanceof Error ? error.message : String(error)));
  }
}

/** Changes whenever the file does. */
async function stampOf(uri: vscode.Uri): Promise<string> {
  try {
    const { mtime, size } = await vscode.workspace.fs.stat(uri);
    return `${mtime}:${size}`;
  } catch (error) {
    // If the file cannot be read, reading it later gives the better message.
    return error instanceof vscode.FileSystemError && error.code === 'FileNotFound' ? GONE : '-';
  }
}

const GONE = 'gone';
