import * as vscode from 'vscode';
import type { PreviousTotals } from '../../core/review/previousTotals';
import type { DecideParams, StagedFiles } from '../../protocol/engine';
import type { FileDecideParams, FileParams, FileTextsParams } from '../../protocol/engineReviews';
import type { ChangeTexts, DecidedChanges, FileReviewState, ReviewSummary } from '../../protocol/review';
import { enginePathOf } from '../base/caseUri';
import type { EngineClient } from './engineClient';

/** The reviews of files, by the engine, which asks git. Git runs what a repository's configuration names, so trust comes first. */
export class EngineFileReviews {
  constructor(
    private readonly engine: EngineClient,
    private readonly requireTrust: () => void,
  ) {}

  readonly list = async (root: string): Promise<readonly ReviewSummary[]> => {
    this.requireTrust();
    return this.engine.call('reviews', { root });
  };

  async read(params: FileParams): Promise<FileReviewState | null> {
    this.requireTrust();
    return this.engine.call('fileReview', params);
  }

  /** Null, too, where the engine may not look, or the file belongs to no project. */
  readonly previousTotals = async (tape: vscode.Uri): Promise<PreviousTotals | null> => {
    const folder = vscode.workspace.getWorkspaceFolder(tape)?.uri;
    if (folder?.scheme !== 'file' || !vscode.workspace.isTrusted) return null;
    const path = tape.path.slice(folder.path.length).replace(/^\/+/, '');
    return this.engine.call('previousTotals', { root: folder.fsPath, path });
  };

  async texts(params: FileTextsParams): Promise<ChangeTexts> {
    this.requireTrust();
    return this.engine.call('fileTexts', params);
  }

  async accept(params: FileDecideParams): Promise<void> {
    this.requireTrust();
    await this.engine.call('acceptFile', params);
  }

  async reject(params: FileDecideParams): Promise<void> {
    this.requireTrust();
    await this.engine.call('rejectFile', params);
  }

  async undo(params: FileParams): Promise<void> {
    this.requireTrust();
    await this.engine.call('undoFile', params);
  }

  async stage(params: FileParams): Promise<void> {
    this.requireTrust();
    await this.engine.call('stageFile', params);
  }

  async stageAccepted(root: string): Promise<StagedFiles> {
    this.requireTrust();
    return this.engine.call('stageAccepted', { root });
  }

  async changesSince(root: string, revision: string): Promise<string> {
    this.requireTrust();
    return this.engine.call('changesSince', { root, revision });
  }

  async restoreRejected(root: string): Promise<readonly string[]> {
    this.requireTrust();
    return this.engine.call('restoreRejected', { root });
  }
}

/** Carries out the decisions of a review in the engine, which writes atomically. */
export class EngineRunDecider {
  constructor(
    private readonly engine: EngineClient,
    private readonly requireTrust: () => void,
    /** Called when fields have become the baseline. */
    private readonly onAccepted: (caseUri: vscode.Uri) => void,
  ) {}

  get canDecide(): boolean {
    return vscode.workspace.isTrusted;
  }

  async accept(caseUri: vscode.Uri, decision: DecidedChanges): Promise<void> {
    await this.#decide('accept', caseUri, decision);
    this.onAccepted(caseUri);
  }

  async reject(caseUri: vscode.Uri, decision: DecidedChanges): Promise<void> {
    await this.#decide('reject', caseUri, decision);
  }

  async undo(caseUri: vscode.Uri): Promise<void> {
    this.requireTrust();
    await this.engine.call('undo', { root: rootOf(caseUri), casePath: enginePathOf(caseUri) });
    this.onAccepted(caseUri);
  }

  async stage(caseUri: vscode.Uri): Promise<void> {
    this.requireTrust();
    await this.engine.call('stage', { root: rootOf(caseUri), casePath: enginePathOf(caseUri) });
  }

  async #decide(method: 'accept' | 'reject', caseUri: vscode.Uri, decision: DecidedChanges): Promise<void> {
    this.requireTrust();
    const params: DecideParams = { root: rootOf(caseUri), casePath: enginePathOf(caseUri), ...decision };
    await this.engine.call(method, params);
  }
}

function rootOf(caseUri: vscode.Uri): string {
  const root = vscode.workspace.getWorkspaceFolder(caseUri)?.uri.fsPath;
  if (root === undefined) throw new Error(`${caseUri.fsPath} is in no workspace folder`);
  return root;
}
