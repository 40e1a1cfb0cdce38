import * as vscode from 'vscode';
import type { PreviousTotals } from '../../core/review/previousTotals';
import type { StagedFiles } from '../../protocol/engine';
import type {
  ChangeTexts,
  FileDecideParams,
  FileParams,
  FileReviewContent,
  FileTextsParams,
  QueueEntry,
} from '../../protocol/reviewQueue';
import type { EngineClient } from './engineClient';

/** The reviews of files, by the engine, which asks git. Git runs what a repository's configuration names, so trust comes first. */
export class EngineReviews {
  constructor(
    private readonly engine: EngineClient,
    private readonly requireTrust: () => void,
  ) {}

  readonly list = async (root: string): Promise<readonly QueueEntry[]> => {
    this.requireTrust();
    return this.engine.call('reviews', { root });
  };

  async read(params: FileParams): Promise<FileReviewContent | null> {
    this.requireTrust();
    return this.engine.call('fileReview', params);
  }

  /** Null, too, where the engine may not look, or the file belongs to no project. */
  readonly earlierNumbers = async (tape: vscode.Uri): Promise<PreviousTotals | null> => {
    const folder = vscode.workspace.getWorkspaceFolder(tape)?.uri;
    if (folder?.scheme !== 'file' || !vscode.workspace.isTrusted) return null;
    const path = tape.path.slice(folder.path.length).replace(/^\/+/, '');
    return this.engine.call('earlierNumbers', { root: folder.fsPath, path });
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
