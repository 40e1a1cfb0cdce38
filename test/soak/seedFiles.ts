import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { detectFormat } from '../../src/core/tapes/readTape';
import { tapeFile } from '../../src/core/tapes/tapeFile';
import type { RecordedInteraction, TapeFormat } from '../../src/core/tapes/tapeFormat';
import { samples } from './samples';

/** A file in order, of which broken ones are made. */
export interface SeedFile {
  readonly path: string;
  readonly bytes: Buffer;
}

const LARGEST = 16 * 1024;
/** Of the larger ones a few are enough: what breaks a reader fits into a small file, of which more can be tried. */
const SMALL = 2 * 1024;
const FEW = 3;
const MOST = 30;

const RECORDED: readonly RecordedInteraction[] = [
  {
    kind: 'llm',
    request: {
      model: 'gpt-4o-mini',
      messages: [
        { role: 'system', content: 'Be brief.', toolCalls: [] },
        { role: 'user', content: 'Where is "order 7"?\nPlease.', toolCalls: [] },
      ],
      tools: [{ name: 'find_order', description: 'Finds an order', schema: { type: 'object', properties: {} } }],
      params: { temperature: 0.7, max_tokens: 100 },
    },
    response: {
      content: null,
      toolCalls: [{ id: 'call_1', name: 'find_order', arguments: { id: 7, deep: [1.5, null, 'é'] } }],
      usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 },
      finishReason: 'tool_calls',
    },
  },
  {
    kind: 'llm',
    request: { messages: [{ role: 'user', content: 'And now?', toolCalls: [] }], tools: [], params: {} },
    response: { content: 'Shipped: see https://example.com/7 \u{1F600}.\nIt is on its way.', toolCalls: [] },
  },
];

/** Files of a format, the smallest first: what it writes itself, our samples, and the smaller files of the corpus. */
export function seedFiles(format: TapeFormat, corpus: string | undefined): SeedFile[] {
  const written = [RECORDED, RECORDED.slice(0, 1), []].flatMap((interactions) => {
    const text = format.serialise?.('order', interactions);
    return text === undefined ? [] : [{ path: 'written.json', bytes: Buffer.from(text) }];
  });
  const own = samples.map(({ path, text }) => ({ path, bytes: Buffer.from(text) }));
  const found = [...own, ...(corpus === undefined ? [] : corpusFiles(corpus))];
  const claimed = found.filter(({ path, bytes }) => detectFormat(tapeFile(path, bytes)) === format);
  claimed.sort((left, right) => left.bytes.length - right.bytes.length);
  const small = claimed.filter(({ bytes }, index) => bytes.length <= SMALL || index < FEW);
  return [...written, ...small.slice(0, MOST)];
}

function corpusFiles(corpus: string): SeedFile[] {
  const names = readdirSync(corpus, { recursive: true, encoding: 'utf8' });
  return names.flatMap((name) => {
    const path = join(corpus, name);
    const { size } = statSync(path);
    if (!statSync(path).isFile() || size > LARGEST || size === 0) return [];
    return [{ path: relative(corpus, path), bytes: readFileSync(path) }];
  });
}
