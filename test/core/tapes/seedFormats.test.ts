import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { looksLikeCase } from '../../../src/core/cases/toml/looksLikeCase';
import type { Interaction } from '../../../src/core/model/interaction';
import type { FormatId } from '../../../src/core/model/tape';
import type { TapeFormat } from '../../../src/core/tapes/format';
import { formats } from '../../../src/core/tapes/registry';
import { decodeTapeFile, encodeTapeFile, type TapeFile } from '../../../src/core/tapes/tapeFile';
import { applySplices } from '../../../src/core/text/splice';
import { corpusSuite } from '../../corpus';
import { editAnswer, formatOf } from './editing';
import { mutate, randomFrom } from './mutations';

/** The formats of the systems that Tapedeck grew from, by the names that the corpus has for them. */
const SEEDS: Readonly<Record<string, readonly FormatId[]>> = {
  mofa: ['mofa', 'mofa-golden', 'mofa-scenario', 'mofa-agent-scenario', 'mofa-assertions'],
  'checkagent-json': ['checkagent'],
  'reyn-jsonl': ['reyn'],
  'flakestorm-yaml': ['flakestorm', 'flakestorm-config'],
  'loader-scripted': ['loader'],
};

/** The model said nothing and called nothing: `content` is null and the finish reason `stop`. */
const SAID_NOTHING = 11;

interface Sample {
  readonly family: string;
  readonly count: number | undefined;
  readonly file: TapeFile;
}

function readSamples(corpus: string): Sample[] {
  const [, ...rows] = readFileSync(join(corpus, 'INDEX.tsv'), 'utf8').trimEnd().split('\n');
  return rows.flatMap((row) => {
    const [path = '', , , , family = '', , , count] = row.split('\t');
    if (!(family in SEEDS)) return [];
    const file = decodeTapeFile(path, readFileSync(join(corpus, path)));
    return [{ family, count: count === '' ? undefined : Number(count), file }];
  });
}

/** A response of an unknown shape counts: it is shown as it is. One in the corpus has only numbers. */
const isUnderstood = ({ request, response }: Interaction): boolean =>
  (request?.messages.length ?? 0) > 0 &&
  [response?.content, response?.error, response?.toolCalls.length, response?.parts?.length].some(Boolean);

corpusSuite('the seed systems’ files of the corpus', (corpus) => {
  const all = readSamples(corpus);
  // MoFA's test cases are TOML files of their own kind, which are run.
  const samples = all.filter(({ file }) => !(file.path.endsWith('.toml') && looksLikeCase(file.text)));

  it('are recognised, each by one format of its system; what is left are cases', () => {
    assert.ok(samples.length >= 75, `${samples.length}`);
    assert.equal(all.length - samples.length, 5);
    for (const { file, family } of samples) assert.ok(SEEDS[family]?.includes(formatOf(file).id), file.path);
  });

  it('have as many interactions as the index says, and those of models are understood', () => {
    const missed: string[] = [];
    for (const { file, count } of samples) {
      const { interactions } = formatOf(file).read(file);
      if (count !== undefined) assert.equal(interactions.length, count, file.path);
      assert.deepEqual(
        interactions.map(({ index }) => index),
        [...interactions.keys()],
      );
      for (const interaction of interactions) {
        if (interaction.kind !== 'llm' || isUnderstood(interaction) || isUnasked(interaction)) continue;
        assert.equal(interaction.response?.finishReason, 'stop', file.path);
        missed.push(file.path);
      }
    }
    assert.equal(missed.length, SAID_NOTHING, missed.join('\n'));
  });

  it('have no problems but those that they have', () => {
    const found = samples.flatMap(({ file }) =>
      formatOf(file)
        .read(file)
        .problems.filter(({ severity }) => severity !== 'info')
        .map(({ message }) => `${file.path.split('/').at(-1)}: ${message}`),
    );
    const expected = [
      /^v0\.json: Cassette v0\.json uses schema v0/,
      /^tests__fixtures__scenarios__malformed\.yaml: a response must be an object$/,
      /^hist-.*: another entry below has the same key/,
      /^hist-.*: the same environment is captured again below/,
      /^hist-.*: the same call is recorded under \d+ keys/,
    ];
    for (const pattern of expected)
      assert.ok(
        found.some((line) => pattern.test(line)),
        `${pattern}`,
      );
    assert.deepEqual(
      found.filter((line) => !expected.some((pattern) => pattern.test(line))),
      [],
    );
  });

  it('change in one response, and in nothing but what depends on it', () => {
    let edited = 0;
    for (const { file } of samples) {
      const format = formatOf(file);
      for (const { index, response } of format.read(file).interactions) {
        const outcome = format.editText?.(file, {
          type: 'response-text',
          interaction: index,
          text: `${response?.content}!`,
        });
        if (outcome === undefined || 'refused' in outcome) {
          // Declared objects of tools are shown as text, but are none.
          assert.ok(format.editText === undefined || response?.content === null || response === undefined, file.path);
          continue;
        }
        edited += 1;
        const { text, dependents } = editAnswer(file, index, `${response?.content}!`);
        assert.equal(outcome.splices.length, 1 + dependents.length, file.path);
        for (const splice of outcome.splices) assert.ok(splice.end - splice.start < file.text.length, file.path);
        assert.ok(Buffer.from(encodeTapeFile(file, text)).toString('utf8').includes('!'));
      }
    }
    assert.ok(edited >= 140, `${edited}`);
  });

  it('never make a format throw or hang, however they are damaged', () => {
    const random = randomFrom(20260730);
    const mine = formats.filter(({ id }) => Object.values(SEEDS).some((ids) => ids.includes(id)));
    for (const { file } of samples.filter(({ file: { bytes } }) => bytes.length < 40_000)) {
      for (let round = 0; round < 12; round += 1) exercise(mine, decodeTapeFile(file.path, mutate(file.bytes, random)));
    }
  });
});

describe('the seed systems’ files that are not UTF-8', () => {
  const latin1 = (text: string): TapeFile =>
    decodeTapeFile(
      't',
      Uint8Array.from(text, (char) => char.charCodeAt(0)),
    );
  const cassette =
    '{"meta": {"schema_version": 1}, "interactions": [{"request": {"kind": "llm"}, "response": {"body": "\xe9"}}]}';
  const fixture = `{"key": "k", "model": "m", "prompt_preview": "", "key_components": {}, "response": {"choices": [{"message": {"content": "\xe9"}}]}}\n`;

  it('are read, and say that Python cannot', () => {
    for (const text of [cassette, fixture]) {
      const file = latin1(text);
      const tape = formatOf(file).read(file);
      assert.equal(tape.interactions[0]?.response?.content, 'é');
      assert.match(tape.problems[0]?.message ?? '', /^the file is not UTF-8: \w+ cannot read it$/);
    }
  });

  it('take only what they have bytes for', () => {
    for (const text of [cassette, fixture]) {
      const file = latin1(text);
      assert.ok(encodeTapeFile(file, editAnswer(file, 0, 'è').text).includes(0xe8));
      const outcome = formatOf(file).editText?.(file, { type: 'response-text', interaction: 0, text: '😀' });
      assert.ok(outcome && 'refused' in outcome);
    }
  });

  it('say that a byte order mark is in the way', () => {
    for (const text of [cassette, fixture]) {
      const file = decodeTapeFile('t', new TextEncoder().encode(`\uFEFF${text}`));
      assert.match(formatOf(file).read(file).problems[0]?.message ?? '', /begins with a byte order mark/);
    }
  });
});

/** Loader's completions, except for the first of a queue, respond to requests that only a run can make. */
function isUnasked({ id, request, response }: Interaction): boolean {
  return /^(?:completion|stream) \d+$/.test(id ?? '') && request === undefined && Boolean(response?.content);
}

/** Everything that a format can do with a file, whether or not it is its own. */
function exercise(mine: readonly TapeFormat[], file: TapeFile): void {
  for (const format of mine) {
    const isOwn = format.looksLike(file);
    const tape = format.read(file);
    for (const { source } of tape.interactions) assert.ok(source.start <= source.end && source.end <= file.text.length);
    for (const { span } of tape.problems) assert.ok(span.start <= span.end && span.end <= file.text.length, format.id);
    format.migrate?.(file);
    if (format.finalise) applySplices(file.text, format.finalise(file));
    if (isOwn && format.editText) {
      const outcome = format.editText(file, { type: 'response-text', interaction: 0, text: 'x' });
      if ('splices' in outcome) applySplices(file.text, outcome.splices);
    }
  }
}
