import type { TextDocument } from 'vscode';
import { readTape } from '../../core/tapes/readTape';
import type { Tape } from '../../core/tapes/tape';
import { type TapeFile, textFile } from '../../core/tapes/tapeFile';
import type { Span } from '../../core/text/source';
import { readTranscript } from '../../core/transcript/transcript';
import type { TranscriptState } from '../../protocol/transcript';

/** A document as a tape. What is not asked for is not read, and nothing is read twice for one version of the text. */
export class TapeSource {
  readonly #document: Pick<TextDocument, 'getText' | 'version' | 'uri'>;
  #tape: { readonly version: number; readonly value: Tape | undefined } | undefined;

  constructor(document: Pick<TextDocument, 'getText' | 'version' | 'uri'>) {
    this.#document = document;
  }

  get name(): string {
    const { path } = this.#document.uri;
    return path.slice(path.lastIndexOf('/') + 1);
  }

  state(): TranscriptState {
    const text = this.#document.getText();
    const transcript = readTranscript(this.#file());
    return transcript === undefined
      ? { type: 'unreadable', message: this.#whyNoTape(text) }
      : { type: 'transcript', transcript };
  }

  /** Where an interaction stands in the text. Throws when the tape has no such interaction (any more). */
  span(interaction: number): Span {
    const interactions = this.#read()?.interactions ?? [];
    const found = interactions.find(({ index }) => index === interaction);
    if (found !== undefined) return found.source;
    throw new Error(`${this.name} has no interaction ${interaction + 1}: there are ${interactions.length}.`);
  }

  /** The text of an interaction, as it stands in the file. Throws as `span` does. */
  raw(interaction: number): string {
    const { start, end } = this.span(interaction);
    return this.#document.getText().slice(start, end);
  }

  #file(): TapeFile {
    return textFile(this.#document.getText(), this.#document.uri.path);
  }

  #read(): Tape | undefined {
    const { version } = this.#document;
    if (this.#tape?.version !== version) this.#tape = { version, value: readTape(this.#file()) };
    return this.#tape.value;
  }

  #whyNoTape(text: string): string {
    if (text.trim() === '') return `${this.name} is empty. Record a case onto it, or restore it from version control.`;
    return `${this.name} is in no tape format that Tapedeck knows. Open it as text to see what it is.`;
  }
}
