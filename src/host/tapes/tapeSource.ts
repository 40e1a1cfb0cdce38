import type { Tape } from '../../core/tapes/tape';
import type { Span } from '../../core/text/source';
import type { TranscriptState } from '../../protocol/transcript';
import { tapeReading } from '../base/tapeReading';
import type { TapeDocument } from './tapeDocument';

/** A document as a tape. What is not asked for is not read, and nothing is read twice for one version of the text. */
export class TapeSource {
  readonly #document: Pick<TapeDocument, 'file' | 'version' | 'uri'>;
  #tape: { readonly version: number; readonly value: Tape | undefined } | undefined;

  constructor(document: Pick<TapeDocument, 'file' | 'version' | 'uri'>) {
    this.#document = document;
  }

  get name(): string {
    const { path } = this.#document.uri;
    return path.slice(path.lastIndexOf('/') + 1);
  }

  async state(): Promise<TranscriptState> {
    const { readTranscript } = await tapeReading();
    const file = await this.#document.file();
    const transcript = readTranscript(file);
    return transcript === undefined
      ? { type: 'unreadable', message: this.#whyNoTape(file.text) }
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
    return (await this.#document.file()).text.slice(start, end);
  }

  async #read(): Promise<Tape | undefined> {
    const { readTape } = await tapeReading();
    const { version } = this.#document;
    if (this.#tape?.version === version) return this.#tape.value;
    const value = readTape(await this.#document.file());
    this.#tape = { version, value };
    return value;
  }

  #whyNoTape(text: string): string {
    if (text.trim() === '') return `${this.name} is empty. Record a case onto it, or restore it from version control.`;
    return `${this.name} is in no tape format that Tapedeck knows. Open it as text to see what it is.`;
  }
}
