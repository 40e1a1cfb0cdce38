import * as vscode from 'vscode';
import type { DecideParams } from '../../protocol/engine';
import type { ReviewIds } from '../../protocol/review';
import { casePathOf } from '../base/caseUri';
import type { EngineClient } from './engineClient';

/** Carries out the decisions of a review in the engine, which writes atomically. */
export class EngineDecider {
  constructor(
    private readonly engine: EngineClient,
    private readonly requireTrust: () => void,
    /** Called when fields have become the baseline. */
    private readonly onAccepted: (caseUri: vscode.Uri) => void,
  ) {}

  get canDecide(): boolean {
    return vscode.workspace.isTrusted;
  }

  async accept(caseUri: vscode.Uri, decision: ReviewIds): Promise<void> {
    await this.#decide('accept', caseUri, decision);
    this.onAccepted(caseUri);
  }

  async reject(caseUri: vscode.Uri, decision: ReviewIds): Promise<void> {
    await this.#decide('reject', caseUri, decision);
  }

  async undo(caseUri: vscode.Uri): Promise<void> {
    this.requireTrust();
    await this.engine.call('undo', { root: rootOf(caseUri), casePath: casePathOf(caseUri) });
    this.onAccepted(caseUri);
  }

  async stage(caseUri: vscode.Uri): Promise<void> {
    this.requireTrust();
    await this.engine.call('stage', { root: rootOf(caseUri), casePath: casePathOf(caseUri) });
  }

  async #decide(method: 'accept' | 'reject', caseUri: vscode.Uri, decision: ReviewIds): Promise<void> {
    this.requireTrust();
    const params: DecideParams = { root: rootOf(caseUri), casePath: casePathOf(caseUri), ...decision };
    await this.engine.call(method, params);
  }
}

function rootOf(caseUri: vscode.Uri): string {
  const root = vscode.workspace.getWorkspaceFolder(caseUri)?.uri.fsPath;
  if (root === undefined) throw new Error(`${caseUri.fsPath} is in no workspace folder`);
  return root;
}
