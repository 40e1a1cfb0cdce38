import type { TextDocument } from 'vscode';
import type { Tape } from '../../core/tapes/tape';
import type { Span } from '../../core/text/source';
import type { TranscriptState } from '../../protocol/transcript';
import { tapeReading } from '../base/tapeReading';

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

  async state(): Promise<TranscriptState> {
    const { readTranscript, textFile } = await tapeReading();
    const text = this.#document.getText();
    const transcript = readTranscript(textFile(text, this.#document.uri.path));
    return transcript === undefined
      ? { type: 'unreadable', message: this.#whyNoTape(text) }
      : { type: 'transcript', transcript };
  }

  /** Where an interaction stands in the text. Rejects when the tape has no such interaction (any more). */
  async span(interaction: number): Promise<Span> {
    const interactions = (await this.#read())?.interactions ?? [];
    const found = interactions.find(({ index }) => index === interaction);
    if (found !== undefined) return found.source;
    throw new Error(`${this.name} has no interaction ${interaction + 1}: there are ${interactions.length}.`);
  }

  /** The text of an interaction, as it stands in the file. Rejects as `span` does. */
  async raw(interaction: number): Promise<string> {
    const { start, end } = await this.span(interaction);
    return this.#document.getText().slice(start, end);
  }

  async #read(): Promise<Tape | undefined> {
    const { readTape, textFile } = await tapeReading();
    const { version, uri } = this.#document;
    if (this.#tape?.version === version) return this.#tape.value;
    const value = readTape(textFile(this.#document.getText(), uri.path));
    this.#tape = { version, value };
    return value;
  }

  #whyNoTape(text: string): string {
    if (text.trim() === '') return `${this.name} is empty. Record a case onto it, or restore it from version control.`;
    return `${this.name} is in no tape format that Tapedeck knows. Open it as text to see what it is.`;
  }
}
