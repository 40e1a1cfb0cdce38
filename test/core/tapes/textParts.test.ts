import assert from 'node:assert/strict';
import { looksLikeJson } from '../../../src/core/json/jsonOutline';
import type { FormatId } from '../../../src/core/model/tape';
import { detectFormat } from '../../../src/core/tapes/readTape';
import { decodeTapeFile, type TapeFile, tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import type { TextParts } from '../../../src/core/text/textParts';
import { ownFiles } from '../../soak/seedFiles';

/** A text that is nowhere as a whole. */
class Parts implements TextParts {
  readonly length: number;
  readonly #text: string;

  constructor(text: string) {
    this.length = text.length;
    this.#text = text;
  }

  slice(start?: number, end?: number): string {
    assert.ok((start ?? 0) !== 0 || (end ?? this.length) < this.length, 'the whole was asked for');
    return this.#text.slice(start, end);
  }

  charCodeAt(at: number): number {
    return this.#text.charCodeAt(at);
  }

  startsWith(part: string, at?: number): boolean {
    return this.#text.startsWith(part, at);
  }

  indexOf(part: string, from?: number): number {
    return this.#text.indexOf(part, from);
  }

  includes(part: string): boolean {
    return this.#text.includes(part);
  }
}

/** Longer than what is looked at to recognise a file. */
const SPACES = ' '.repeat(100_000);

/** The same file, whose text nobody may ask for. */
function inParts(file: TapeFile): TapeFile {
  const parts = new Parts(file.text);
  return {
    ...file,
    parts,
    get text(): string {
      throw new Error('the text was asked for as a whole');
    },
  };
}

/** Formats that look for a word in all of a file, which other formats did not claim before. */
const LOOKING_THROUGH: ReadonlySet<FormatId> = new Set([
  'atif',
  'flakestorm',
  'gemini-cli',
  'insomnia',
  'langfuse',
  'mlflow',
  'mockserver',
  'mountebank',
  'one-response',
  'openai-agents',
  'openai-batch',
  'postman',
  'standin',
  'stream-events',
  'vercel-ai',
]);

describe('a tape of JSON that is not in memory as a whole', () => {
  for (const [id, own] of ownFiles()) {
    const files = own
      .map(({ path, bytes }) => tapeFileFromText(decodeTapeFile(path, bytes).text + SPACES, path))
      .filter((file) => looksLikeJson(file.text) && detectFormat(file)?.id === id);
    if (files.length === 0 || LOOKING_THROUGH.has(id)) continue;
    it(`is recognised and read in parts: ${id}`, () => {
      for (const whole of files) {
        const parts = inParts(whole);
        const format = detectFormat(parts);
        assert.equal(format?.id, id);
        const [found, expected] = [parts, whole].map((file) => JSON.stringify(format?.read(file).interactions));
        assert.equal(found, expected);
      }
    });
  }
});
