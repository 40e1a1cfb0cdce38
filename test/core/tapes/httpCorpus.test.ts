import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeTape } from '../../../src/core/tapes/encodeTape';
import type { FormatId, Interaction } from '../../../src/core/tapes/tape';
import { type TapeFile, tapeFile } from '../../../src/core/tapes/tapeFile';
import { corpusSuite } from '../../corpus';
import { editAnswer, formatOf } from './editing';
import { mutate, randomFrom } from './mutations';

const MINE: Readonly<Record<string, FormatId>> = {
  'aimock-json': 'aimock',
  'azure-test-proxy-json': 'azure-test-proxy',
  httprr: 'httprr',
  'opencode-http-recorder-json': 'opencode',
};

/** Calls of a model that ask nothing which could be shown, and why. */
const UNASKED: readonly (readonly [RegExp, string])[] = [
  [/example-tool-call\.json$/, 'the fixture matches by the name of a tool, whatever was said'],
  [/FileSearchStreamingWorks\.json$/, 'the run of a thread: its messages were sent in another request'],
];
/** A trace of a vector store that embeds the same text again and again. */
const REPEATED = /redisvector__testdata__TestSimilaritySearch/;

interface Sample {
  readonly path: string;
  readonly id: FormatId;
  readonly wanted: number;
  readonly bytes: Uint8Array;
  readonly file: TapeFile;
}

corpusSuite('recorded HTTP in JSON, httprr traces and aimock fixtures, over the corpus', (folder) => {
  const samples = readSamples(folder);

  it('are recognised, counted and understood', () => {
    for (const { path, id, wanted, file } of samples) {
      const format = formatOf(file);
      assert.equal(format.id, id, path);
      const { interactions, problems } = format.read(file);
      assert.equal(interactions.length, wanted, path);
      const serious = problems.filter(({ severity }) => severity !== 'info');
      assert.equal(serious.length, REPEATED.test(path) ? 4 : 0, path);
      for (const interaction of interactions) {
        if (interaction.kind === 'http') continue;
        assert.ok(isAnswered(interaction), `${path}#${interaction.index}`);
        const isUnasked = UNASKED.some(([name]) => name.test(path));
        assert.equal((interaction.request?.messages.length ?? 0) > 0, !isUnasked, `${path}#${interaction.index}`);
      }
    }
  });

  it('come back byte for byte', () => {
    for (const { path, file, bytes } of samples)
      assert.ok(Buffer.from(encodeTape(file, file.text)).equals(bytes), path);
  });

  it('change no more than one answer and what depends on it', function () {
    this.timeout(30_000);
    let edited = 0;
    for (const { path, file } of samples) {
      const { interactions } = formatOf(file).read(file);
      for (const { index, response } of interactions) {
        if (!response?.content) continue;
        const middle = Math.floor(response.content.length / 2);
        const text = `${response.content.slice(0, middle)}ж${response.content.slice(middle + 1)}`;
        const { splices, dependents } = editAnswer(file, index, text);
        // One character, a digit or two of a length: or, where a stream cuts it differently, the pieces around it.
        for (const { start, end } of splices) assert.ok(end - start < 40, `${path}#${index}: ${end - start}`);
        assert.ok(dependents.every((name) => ['content-length', 'byte counts'].includes(name)));
        edited += 1;
      }
    }
    assert.equal(edited, 29);
  });

  it('never throw and never take long when they are broken', function () {
    this.timeout(30_000);
    const random = randomFrom(7);
    const small = samples.filter(({ bytes }) => bytes.length < 24_000);
    for (const { path, id, bytes, file } of small) {
      const format = formatOf(file);
      for (let round = 0; round < 40; round += 1) {
        const broken = tapeFile(path, mutate(bytes, random));
        const started = performance.now();
        format.looksLike(broken);
        const { interactions, problems } = format.read(broken);
        for (const { span } of problems)
          assert.ok(span.end >= span.start && span.end <= broken.text.length, `${id} ${path}`);
        for (const { index, source } of interactions) {
          assert.ok(source.start >= 0 && source.end <= broken.text.length);
          if (index < 2) format.edit?.(broken, { type: 'response-text', interaction: index, text: 'x' });
        }
        assert.ok(performance.now() - started < 1000, path);
      }
    }
  });
});

function readSamples(folder: string): Sample[] {
  const [, ...lines] = readFileSync(join(folder, 'INDEX.tsv'), 'utf8').trimEnd().split('\n');
  return lines.flatMap((line) => {
    const [path = '', , , , name = '', , , wanted = ''] = line.split('\t');
    const id = MINE[name];
    if (id === undefined) return [];
    const bytes = readFileSync(join(folder, path));
    return [{ path, id, wanted: Number(wanted), bytes, file: tapeFile(path, bytes) }];
  });
}

function isAnswered({ response }: Interaction): boolean {
  return (
    response !== undefined &&
    (Boolean(response.content) ||
      response.toolCalls.length > 0 ||
      Boolean(response.error) ||
      Boolean(response.parts?.length))
  );
}
