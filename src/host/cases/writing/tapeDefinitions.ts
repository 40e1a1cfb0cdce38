import * as vscode from 'vscode';
import { caseReferenceAt, tapeNamed } from './caseReferenceAt';
import { rangeIn } from './rangeIn';

/** From the name of a tape to the tape. */
export const tapeDefinitions: vscode.DefinitionProvider = {
  async provideDefinition(document, position) {
    const reference = await caseReferenceAt(document, position);
    if (reference?.names !== 'tape') return undefined;
    const targetUri = tapeNamed(document, reference.value);
    const targetRange = new vscode.Range(0, 0, 0, 0);
    return [{ originSelectionRange: rangeIn(document, reference.span), targetUri, targetRange }];
  },
};
