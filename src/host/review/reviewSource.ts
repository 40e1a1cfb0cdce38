import * as vscode from 'vscode';
import type { FileDecideParams, FileParams, FileTextsParams } from '../../protocol/engineReviews';
import type { ChangeTexts, DecidedChanges, FileReviewState } from '../../protocol/review';
import { HumanError } from '../base/humanError';
import type { ReviewAddress } from '../stores/reviewAddress';
import type { ReviewStore } from '../stores/reviewStore';
import { fileReviewState, type ReviewContentState, runReviewState } from './reviewPage';

/** One review: where its content comes from, and who carries decisions about it out. */
export interface ReviewSource {
  state(): Promise<ReviewContentState>;
  texts(id: string): Promise<ChangeTexts>;
  accept(decision: DecidedChanges): Promise<void>;
  reject(decision: DecidedChanges): Promise<void>;
  /** Takes back the last decision about it. */
  undo(): Promise<void>;
  /** Puts the baseline, or the file, into git's index. */
  stage(): Promise<void>;
}

/** Carries out decisions about runs. A decision about other files than those that were looked at must fail. */
export interface RunDecider {
  readonly canDecide: boolean;
  accept(caseUri: vscode.Uri, decision: DecidedChanges): Promise<void>;
  reject(caseUri: vscode.Uri, decision: DecidedChanges): Promise<void>;
  undo(caseUri: vscode.Uri): Promise<void>;
  stage(caseUri: vscode.Uri): Promise<void>;
}

/** Reads and decides the reviews of files. */
export interface FileReviewer {
  read(params: FileParams): Promise<FileReviewState | null>;
  texts(params: FileTextsParams): Promise<ChangeTexts>;
  accept(params: FileDecideParams): Promise<void>;
  reject(params: FileDecideParams): Promise<void>;
  undo(params: FileParams): Promise<void>;
  stage(params: FileParams): Promise<void>;
}

export interface ReviewSources {
  readonly store: ReviewStore;
  readonly decider: RunDecider;
  readonly files: FileReviewer;
}

export function sourceOf({ about, uri }: ReviewAddress, { store, decider, files }: ReviewSources): ReviewSource {
  return about === 'run' ? runSource(uri, store, decider) : fileSource(uri, store, files);
}

function runSource(uri: vscode.Uri, store: ReviewStore, decider: RunDecider): ReviewSource {
  const decided = async (work: Promise<void>): Promise<void> => {
    try {
      await work;
    } finally {
      store.refresh(uri);
    }
  };
  return {
    state: async () => runReviewState(uri, await store.get(uri)),
    async texts(id) {
      const { changes = [], hidden = [], problem } = (await store.get(uri)) ?? {};
      if (problem !== undefined) throw new HumanError(problem);
      const change = [...changes, ...hidden].find((one) => one.id === id);
      if (change === undefined)
        throw new HumanError('This change is gone: the case has run again, or it was accepted.');
      return { before: change.before, after: change.after };
    },
    accept: (decision) => decided(decider.accept(uri, decision)),
    reject: (decision) => decided(decider.reject(uri, decision)),
    undo: () => decided(decider.undo(uri)),
    stage: () => decider.stage(uri),
  };
}

function fileSource(uri: vscode.Uri, store: ReviewStore, files: FileReviewer): ReviewSource {
  const file = projectFile(uri);
  const decided = async (work: Promise<void>): Promise<void> => {
    await work;
    // A baseline is one side of the review of its case, too.
    store.touch(uri);
  };
  return {
    state: async () => fileReviewState(file.path, await files.read(file)),
    texts: (id) => files.texts({ ...file, id }),
    accept: (decision) => decided(files.accept({ ...file, ...decision })),
    reject: (decision) => decided(files.reject({ ...file, ...decision })),
    undo: () => decided(files.undo(file)),
    stage: () => files.stage(file),
  };
}

function projectFile(uri: vscode.Uri): FileParams {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined)
    throw new HumanError(`${uri.fsPath} is in no folder of this workspace. Open its folder to review it.`);
  return { root: folder.uri.fsPath, path: vscode.workspace.asRelativePath(uri, false) };
}
