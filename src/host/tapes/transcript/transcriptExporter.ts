import * as vscode from 'vscode';
import type { ShownTapes } from './transcriptPages';

/** The scheme of transcripts as text: read-only documents that follow their tapes. */
const SCHEME = 'tapedeck-transcript';

/** Shows transcripts as text, which screen readers can read line by line, and exports them as web pages. */
export class TranscriptExporter implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #owned: vscode.Disposable;

  constructor(private readonly shown: ShownTapes) {
    const follow = (tape: vscode.Uri): void => this.#changed.fire(textUri(tape));
    this.#owned = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidChangeTextDocument(({ document }) => follow(document.uri)),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => follow(uri)),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return (await this.#pages()).textOf(vscode.Uri.parse(uri.query, true), this.shown);
  }

  /** @param interaction The interaction to show first, from 0. */
  async openAsText(tape: vscode.Uri, interaction: number): Promise<void> {
    const { requireTape, showInteraction } = await this.#pages();
    await requireTape(tape, this.shown);
    // Changes of packed tapes fire no event of VS Code.
    this.#changed.fire(textUri(tape));
    const document = await vscode.workspace.openTextDocument(textUri(tape));
    const editor = await vscode.window.showTextDocument(document, { preview: true });
    if (interaction > 0) showInteraction(editor, interaction);
  }

  async exportPage(tape: vscode.Uri): Promise<void> {
    await (await this.#pages()).exportPage(tape, this.shown);
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changed.dispose();
  }

  /** Loaded when used: the transcript itself needs nothing of it. */
  #pages(): Promise<typeof import('./transcriptPages')> {
    return import('./transcriptPages');
  }
}

function textUri(tape: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `${tape.path}.txt`, query: tape.toString() });
}
