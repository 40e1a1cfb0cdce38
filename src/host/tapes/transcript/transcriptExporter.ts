import * as vscode from 'vscode';
import type { TapeFile } from '../../../core/tapes/tapeFile';
import { loadCore } from '../../../reader/loadCore';
import { HumanError } from '../../base/humanError';
import { projectPrices } from '../tapeDocument';

/** The scheme of transcripts as text: read-only documents that follow their tapes. */
const SCHEME = 'tapedeck-transcript';

/** Shows transcripts as text, which screen readers can read line by line, and exports them as web pages. */
export class TranscriptExporter implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #owned: vscode.Disposable;

  /** @param shown The content of a tape that is open as a transcript, with its unsaved changes. */
  constructor(private readonly shown: (tape: vscode.Uri) => Promise<TapeFile> | undefined) {
    const follow = (tape: vscode.Uri): void => this.#changed.fire(textUri(tape));
    this.#owned = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidChangeTextDocument(({ document }) => follow(document.uri)),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => follow(uri)),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const tape = vscode.Uri.parse(uri.query, true);
    const { editorTranscript, PLAIN_STYLE } = await loadCore();
    const prices = await projectPrices(tape);
    return editorTranscript(nameOf(tape), await this.#file(tape), { ink: PLAIN_STYLE, prices });
  }

  /** @param interaction The interaction to show first, from 0. */
  async openAsText(tape: vscode.Uri, interaction: number): Promise<void> {
    await this.#requireTape(tape);
    // Changes of packed tapes fire no event of VS Code.
    this.#changed.fire(textUri(tape));
    const document = await vscode.workspace.openTextDocument(textUri(tape));
    const editor = await vscode.window.showTextDocument(document, { preview: true });
    if (interaction > 0) showInteraction(editor, interaction);
  }

  async exportPage(tape: vscode.Uri): Promise<void> {
    const file = await this.#requireTape(tape);
    const { readTranscript, transcriptHtml } = await loadCore();
    const target = await vscode.window.showSaveDialog({
      title: 'Export Transcript',
      defaultUri: tape.with({ path: `${tape.path.replace(/(?:\.tape)?\.\w+(?:\.gz)?$/, '')}.html` }),
      filters: { 'Web page': ['html'] },
    });
    const transcript = readTranscript(file);
    if (target === undefined || transcript === undefined) return;
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(transcriptHtml(transcript)));
    const open = 'Open';
    const chosen = await vscode.window.showInformationMessage(`Exported ${nameOf(tape)} to ${nameOf(target)}.`, open);
    if (chosen === open) await vscode.env.openExternal(target);
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changed.dispose();
  }

  /** The content of a tape, with unsaved changes if it is open in an editor. */
  async #file(uri: vscode.Uri): Promise<TapeFile> {
    const shown = this.shown(uri);
    if (shown !== undefined) return shown;
    const { decodeTapeFile, tapeFileFromText } = await loadCore();
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
    if (open !== undefined) return tapeFileFromText(open.getText(), uri.path);
    return decodeTapeFile(uri.path, await vscode.workspace.fs.readFile(uri));
  }

  async #requireTape(uri: vscode.Uri): Promise<TapeFile> {
    const file = await this.#file(uri);
    const { detectFormat } = await loadCore();
    if (detectFormat(file) !== undefined) return file;
    throw new HumanError(`${nameOf(uri)} is not in a tape format that Tapedeck supports.`);
  }
}

/** Puts the cursor on the head of an interaction. What was recorded is indented, so that nothing else begins like it. */
function showInteraction(editor: vscode.TextEditor, interaction: number): void {
  const offset = editor.document.getText().indexOf(`\n── interaction ${interaction + 1} of `);
  if (offset < 0) return;
  const start = editor.document.positionAt(offset + 1);
  editor.selection = new vscode.Selection(start, start);
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.AtTop);
}

function textUri(tape: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `${tape.path}.txt`, query: tape.toString() });
}

function nameOf({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
