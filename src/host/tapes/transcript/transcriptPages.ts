import * as vscode from 'vscode';
import type { TapeFile } from '../../../core/tapes/tapeFile';
import { t } from '../../../core/text/l10n';
import { loadCore } from '../../../reader/loadCore';
import { HumanError } from '../../base/humanError';
import { projectPrices } from '../tapeDocument';

/** The content of a tape that is open as a transcript, with its unsaved changes; undefined for others. */
export type ShownTapes = (tape: vscode.Uri) => Promise<TapeFile> | undefined;

/** A tape as text, as `inspect` prints it. */
export async function textOf(tape: vscode.Uri, shown: ShownTapes): Promise<string> {
  const { editorTranscript, PLAIN_STYLE } = await loadCore();
  const prices = await projectPrices(tape);
  return editorTranscript(nameOf(tape), await fileOf(tape, shown), { ink: PLAIN_STYLE, prices });
}

/** Stands for the number of interactions, where a head is looked for. */
const TOTAL = '\n';

/** Puts the cursor on the head of an interaction. What was recorded is indented, so that nothing else begins like it. */
export function showInteraction(editor: vscode.TextEditor, interaction: number): void {
  const [head] = t('interaction {0} of {1}', interaction + 1, TOTAL).split(TOTAL);
  const offset = editor.document.getText().indexOf(`\n── ${head}`);
  if (offset < 0) return;
  const start = editor.document.positionAt(offset + 1);
  editor.selection = new vscode.Selection(start, start);
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.AtTop);
}

/** Exports a tape as a web page, to a file that the user chooses. */
export async function exportPage(tape: vscode.Uri, shown: ShownTapes): Promise<void> {
  const file = await requireTape(tape, shown);
  const { openTranscript, transcriptHtml } = await loadCore();
  const target = await vscode.window.showSaveDialog({
    title: t('Export Transcript'),
    defaultUri: tape.with({ path: `${tape.path.replace(/(?:\.tape)?\.\w+(?:\.gz)?$/, '')}.html` }),
    filters: { [t('Web page')]: ['html'] },
  });
  const transcript = openTranscript(file);
  if (target === undefined || transcript === undefined) return;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(transcriptHtml(transcript)));
  const open = t('Open');
  const chosen = await vscode.window.showInformationMessage(
    t('Exported {0} to {1}.', nameOf(tape), nameOf(target)),
    open,
  );
  if (chosen === open) await vscode.env.openExternal(target);
}

export async function requireTape(uri: vscode.Uri, shown: ShownTapes): Promise<TapeFile> {
  const file = await fileOf(uri, shown);
  const { detectFormat } = await loadCore();
  if (detectFormat(file) !== undefined) return file;
  throw new HumanError(
    t(
      '{0} is not in a tape format that Tapedeck supports. Choose Describe This Format… in its menu to make it one.',
      nameOf(uri),
    ),
  );
}

/** The content of a tape, with unsaved changes if it is open in an editor. */
async function fileOf(uri: vscode.Uri, shown: ShownTapes): Promise<TapeFile> {
  const open = shown(uri);
  if (open !== undefined) return open;
  const { decodeTapeFile, tapeFileFromText } = await loadCore();
  const text = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (text !== undefined) return tapeFileFromText(text.getText(), uri.path);
  return decodeTapeFile(uri.path, await vscode.workspace.fs.readFile(uri));
}

function nameOf({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
