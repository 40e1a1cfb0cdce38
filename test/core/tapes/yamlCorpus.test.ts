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
  'vcrpy-yaml': 'vcrpy',
  'vcrpy-parsed-body': 'vcrpy-parsed-body',
  'ruby-vcr-yaml': 'ruby-vcr',
  'r-vcr-yaml': 'r-vcr',
  'go-vcr-yaml': 'go-vcr',
  'httpmock-yaml': 'httpmock',
};

/** Of a prediction that is streamed, the start has no answer and the stream no question. */
const IN_TWO = /test_replicate_llama_stream_legacy/;

interface Sample {
  readonly path: string;
  readonly id: FormatId;
  readonly wanted: number;
  readonly bytes: Uint8Array;
  readonly file: TapeFile;
}

corpusSuite('cassettes in YAML, over the corpus', (folder) => {
  const samples = readSamples(folder);

  it('are recognised, counted and understood', function () {
    this.timeout(30_000);
    let calls = 0;
    for (const { path, id, wanted, file } of samples) {
      const format = formatOf(file);
      // Pydantic AI's serializer parses JSON only: where there is none, what it writes is stock vcrpy.
      const hasParsedBody = /^ +parsed_body:/m.test(file.text);
      assert.equal(format.id, id === 'vcrpy-parsed-body' && !hasParsedBody ? 'vcrpy' : id, path);
      const { interactions, problems } = format.read(file);
      assert.equal(interactions.length, wanted, path);
      const serious = problems.filter(({ severity }) => severity !== 'info');
      assert.deepEqual(serious, [], path);
      for (const interaction of interactions) {
        if (interaction.kind !== 'llm' || IN_TWO.test(path)) continue;
        calls += 1;
        assert.ok(isAnswered(interaction), `${path}#${interaction.index}`);
        assert.ok((interaction.request?.messages.length ?? 0) > 0, `${path}#${interaction.index}`);
      }
    }
    assert.ok(calls > 270, `${calls}`);
  });

  it('come back byte for byte', () => {
    for (const { path, file, bytes } of samples)
      assert.ok(Buffer.from(encodeTape(file, file.text)).equals(bytes), path);
  });

  it('change no more than one answer and what depends on it', function () {
    this.timeout(60_000);
    let edited = 0;
    const dependents = new Set<string>();
    for (const { path, file } of samples) {
      const { interactions } = formatOf(file).read(file);
      const answers = interactions.filter(({ response }) => response?.content);
      // Every edit reads the whole file three times: of the large ones the last answer will do.
      for (const { index, response, source } of file.text.length < 100_000 ? answers : answers.slice(-1)) {
        if (!response?.content) continue;
        const middle = Math.floor(response.content.length / 2);
        const text = `${response.content.slice(0, middle)}ж${response.content.slice(middle + 1)}`;
        const outcome = editAnswer(file, index, text);
        for (const { start, end } of outcome.splices)
          assert.ok(start >= source.start && end <= source.end, `${path}#${index}`);
        for (const name of outcome.dependents) dependents.add(name);
        edited += 1;
      }
    }
    assert.ok(edited > 100, `${edited}`);
    const known = ['content-length', 'response.content_length', 'the checksums of the event stream'];
    assert.deepEqual(
      [...dependents].filter((name) => !known.includes(name)),
      [],
    );
    assert.ok(dependents.has('content-length') && dependents.has('the checksums of the event stream'));
  });

  it('never throw and never take long when they are broken', function () {
    this.timeout(30_000);
    const random = randomFrom(11);
    for (const { path, bytes, file } of samples.filter((sample) => sample.bytes.length < 12_000)) {
      const format = formatOf(file);
      for (let round = 0; round < 12; round += 1) {
        const broken = tapeFile(path, mutate(bytes, random));
        const started = performance.now();
        format.looksLike(broken);
        const { interactions, problems } = format.read(broken);
        for (const { span } of problems) assert.ok(span.end >= span.start && span.end <= broken.text.length, path);
        for (const { index, source } of interactions) {
          assert.ok(source.start >= 0 && source.end <= broken.text.length, path);
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
