import * as vscode from 'vscode';
import type { TapedPrompt } from '../../../core/cases/toml/tapedPrompt';
import { t } from '../../../core/text/l10n';
import { loadCore } from '../../../reader/loadCore';
import { type Answer, askText, type StepPlace } from '../../base/askSteps';
import { HumanError } from '../../base/humanError';
import { type CaseFolder, caseFileName } from './caseFolder';

/** Asks for the name of a new case, which no file of its folder may have. */
export function askCaseName(at: StepPlace, { folder, taken }: CaseFolder, suggested: string): Promise<Answer<string>> {
  const path = (name: string): string =>
    vscode.workspace.asRelativePath(vscode.Uri.joinPath(folder, caseFileName(name)), false);
  return askText(at, {
    placeholder: 'refund_order',
    value: suggested,
    prompt: (name) => (name.trim() === '' ? t('Name the case after what it tests.') : t('Creates {0}.', path(name))),
    validate(name) {
      if (name.trim() === '') return t('Enter a name.');
      return taken.has(caseFileName(name)) ? t('{0} already exists.', path(name)) : undefined;
    },
  });
}

/** What a new case takes from a tape: its prompt, system prompt, and tools. */
export async function readTapedPrompt(tape: vscode.Uri): Promise<TapedPrompt | undefined> {
  const { decodeTapeFile, readTape, tapedPrompt } = await loadCore();
  const file = decodeTapeFile(tape.path, await vscode.workspace.fs.readFile(tape));
  return tapedPrompt(readTape(file)?.interactions ?? []);
}

/** Writes a new case, so that it can be undone. Throws a `HumanError` if it cannot be. */
export async function createCaseFile(file: vscode.Uri, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(file, { contents: new TextEncoder().encode(text) });
  if (await vscode.workspace.applyEdit(edit)) return;
  throw new HumanError(t('{0} could not be created.', vscode.workspace.asRelativePath(file)));
}
