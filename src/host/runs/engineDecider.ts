import * as vscode from 'vscode';
import type { DecideParams } from '../../protocol/engine';
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

  async accept(caseUri: vscode.Uri, fields: readonly string[], executionId: string): Promise<void> {
    await this.#decide('accept', caseUri, fields, executionId);
    this.onAccepted(caseUri);
  }

  async reject(caseUri: vscode.Uri, fields: readonly string[], executionId: string): Promise<void> {
    await this.#decide('reject', caseUri, fields, executionId);
  }

  async #decide(
    method: 'accept' | 'reject',
    caseUri: vscode.Uri,
    fields: readonly string[],
    executionId: string,
  ): Promise<void> {
    this.requireTrust();
    const root = vscode.workspace.getWorkspaceFolder(caseUri)?.uri.fsPath;
    if (root === undefined) throw new Error(`${caseUri.fsPath} is in no workspace folder`);
    const params: DecideParams = { root, casePath: casePathOf(caseUri), fields, executionId };
    await this.engine.call(method, params);
  }
}
