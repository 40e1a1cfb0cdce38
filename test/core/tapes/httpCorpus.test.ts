import assert from 'node:assert/strict';
import type { FormatId } from '../../../src/core/model/tape';
import { decodeTapeFile } from '../../../src/core/tapes/tapeFile';
import { corpusSuite } from '../../corpus';
import { isAnswered, readSamples, type Sample } from './corpusSamples';
import { editAnswer, formatOf } from './editing';
import { mutate, randomFrom } from './mutations';

const FORMATS: Readonly<Record<string, FormatId>> = {
  'aimock-json': 'aimock',
  'azure-test-proxy-json': 'azure-test-proxy',
  httprr: 'httprr',
  'opencode-http-recorder-json': 'opencode',
  'vcrpy-yaml': 'vcrpy',
  'vcrpy-parsed-body': 'vcrpy-parsed-body',
  'ruby-vcr-yaml': 'ruby-vcr',
  'r-vcr-yaml': 'r-vcr',
  'go-vcr-yaml': 'go-vcr',
  'httpmock-yaml': 'httpmock',
};

/** Calls of a model that ask nothing which could be shown, and why. */
const UNASKED: readonly (readonly [RegExp, string])[] = [
  [/example-tool-call\.json#/, 'the fixture matches by the name of a tool, whatever was said'],
  [/FileSearchStreamingWorks\.json#/, 'the run of a thread: its messages were sent in another request'],
  [/CanDeleteResponseAsync\.json#1$/, 'the response is fetched again: it was requested before'],
];
/** The start of a streamed prediction has no response, and its stream no request. */
const IN_TWO = /test_replicate_llama_stream_legacy/;
/** A trace of a vector store that embeds the same text again and again. */
const REPEATED = /redisvector__testdata__TestSimilaritySearch/;
const DEPENDENTS = ['content-length', 'byte counts', 'response.content_length', 'the checksums of the event stream'];

corpusSuite('recorded HTTP, httprr traces and aimock fixtures, over the corpus', (folder) => {
  const samples = readSamples(folder, (kind) => kind in FORMATS);

  it('are what they are, in order and understood', () => {
    for (const sample of samples) {
      const { path, file } = sample;
      const format = formatOf(file);
      assert.equal(format.id, formatIn(sample), path);
      const { interactions, problems } = format.read(file);
      const serious = problems.filter(({ severity }) => severity !== 'info');
      assert.equal(serious.length, REPEATED.test(path) ? 4 : 0, path);
      for (const interaction of interactions) {
        if (interaction.kind === 'http' || IN_TWO.test(path)) continue;
        const place = `${path}#${interaction.index}`;
        assert.ok(isAnswered(interaction), place);
        const isUnasked = UNASKED.some(([pattern]) => pattern.test(place));
        assert.equal((interaction.request?.messages.length ?? 0) > 0, !isUnasked, place);
      }
    }
  });

  it('change no more than one response and what depends on it', () => {
    let edited = 0;
    const dependents = new Set<string>();
    for (const { path, file } of samples) {
      const { interactions } = formatOf(file).read(file);
      const responses = interactions.filter(({ response }) => response?.content);
      // Every edit reads the whole file three times: in large ones the last response is enough.
      for (const { index, response, source } of file.text.length < 100_000 ? responses : responses.slice(-1)) {
        if (!response?.content) continue;
        const middle = Math.floor(response.content.length / 2);
        const text = `${response.content.slice(0, middle)}ж${response.content.slice(middle + 1)}`;
        const outcome = editAnswer(file, index, text);
        for (const { start, end } of outcome.splices) {
          assert.ok(start >= source.start && end <= source.end, `${path}#${index}`);
          // One character, a digit or two of a length: or, where a stream cuts it differently, the pieces around it.
          if (!/\.ya?ml/.test(path)) assert.ok(end - start < 40, `${path}#${index}: ${end - start}`);
        }
        for (const name of outcome.dependents) dependents.add(name);
        edited += 1;
      }
    }
    assert.ok(edited > 130, `${edited}`);
    assert.deepEqual(
      [...dependents].filter((name) => !DEPENDENTS.includes(name)),
      [],
    );
    assert.ok(dependents.has('content-length') && dependents.has('the checksums of the event stream'));
  });

  it('never throw and never take long when they are broken', () => {
    const random = randomFrom(7);
    for (const sample of samples.filter(({ file }) => file.bytes.length < 12_000)) {
      for (let round = 0; round < 8; round += 1) survives(sample, mutate(sample.file.bytes, random));
    }
  });
});

/** Pydantic AI's serializer parses JSON only: where there is none, what it writes is stock vcrpy. */
function formatIn({ kind, file }: Sample): FormatId | undefined {
  return kind === 'vcrpy-parsed-body' && !/^ +parsed_body:/m.test(file.text) ? 'vcrpy' : FORMATS[kind];
}

function survives({ path, file }: Sample, bytes: Uint8Array): void {
  const format = formatOf(file);
  const broken = decodeTapeFile(path, bytes);
  format.looksLike(broken);
  const { interactions, problems } = format.read(broken);
  for (const { span } of problems) assert.ok(span.end >= span.start && span.end <= broken.text.length, path);
  for (const { index, source } of interactions) {
    assert.ok(source.start >= 0 && source.end <= broken.text.length, path);
    if (index < 2) format.editText?.(broken, { type: 'response-text', interaction: index, text: 'x' });
  }
}
