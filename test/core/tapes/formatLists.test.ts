import assert from 'node:assert/strict';
import { detectFormat } from '../../../src/core/tapes/readTape';
import { formats } from '../../../src/core/tapes/registry';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { corpusSuite } from '../../corpus';
import { filesWithLists, read } from '../../harness/formatLists';
import { samples } from '../../soak/samples';
import { readSamples } from './corpusSamples';

describe('the formats', () => {
  it('have different ids and labels', () => {
    for (const member of ['id', 'label'] as const) {
      const values = formats.map((format) => format[member]);
      assert.deepEqual(values, [...new Set(values)]);
    }
  });

  it('each have a sample for the fuzzer, unless they write one themselves', () => {
    const sampled = new Set(samples.map(({ path, text }) => detectFormat(tapeFileFromText(text, path))));
    const missing = formats.filter((format) => format.serialise === undefined && !sampled.has(format));
    assert.deepEqual(
      missing.map(({ id }) => id),
      [],
    );
  });

  for (const [path, text] of filesWithLists()) {
    it(`are listed in ${path}: node --import tsx test/harness/formatLists.ts writes it`, () => {
      assert.equal(read(path), text);
    });
  }
});

corpusSuite('the extensions of the formats', (corpus) => {
  it('cover the recorded files of the corpus', () => {
    const others = readSamples(corpus).filter(({ path, file }) => {
      const { extensions = [] } = detectFormat(file) ?? {};
      return extensions.length > 0 && !extensions.some((extension) => path.endsWith(`.${extension}`));
    });
    // One example of Flakestorm's is named so that it is copied first.
    assert.deepEqual(
      others.map(({ path }) => path).filter((path) => !path.endsWith('.example')),
      [],
    );
  });
});
