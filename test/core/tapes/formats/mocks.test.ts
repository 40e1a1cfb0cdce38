import assert from 'node:assert/strict';
import { mockFormats } from '../../../../src/core/tapes/formats/mocks/index';
import { isNotRead } from '../../../../src/core/tapes/notRead';
import { detectFormat } from '../../../../src/core/tapes/readTape';
import { formatById } from '../../../../src/core/tapes/registry';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { readmeSamples } from '../../../harness/readmeSamples';
import { formatOf, readAs } from '../editing';

/** Whose routes say nothing of what a request has in it. */
const WITHOUT_REQUEST: ReadonlySet<string> = new Set(['mockoon', 'insomnia']);

describe('mocks and examples', () => {
  const samples = readmeSamples('mocks');

  it('have a sample each', () => {
    assert.deepEqual(
      mockFormats.map(({ id }) => id),
      samples.map(({ text }) => formatOf(tapeFileFromText(text)).id),
    );
  });

  for (const { title, text } of samples) {
    const id = detectFormat(tapeFileFromText(text))?.id ?? '';

    it(`are read: ${title}`, () => {
      const [call, ...others] = readAs(id, text).interactions;
      assert.equal(others.length, 0);
      assert.match(`${call?.http?.method} ${call?.http?.url}`, /^POST .*\/v1\/chat\/completions$/);
      if (!WITHOUT_REQUEST.has(id)) assert.equal(call?.request?.messages[0]?.content, 'Weather in Oslo?');
      assert.equal(call?.http?.status, 200);
      assert.deepEqual(
        call?.http?.responseHeaders.map(([name]) => name.toLowerCase()),
        ['content-type'],
      );
      assert.equal(call?.response?.content, 'Four degrees.');
    });

    it(`tell a body that is not where it was: ${title}`, () => {
      const at = text.lastIndexOf('"body"');
      const tape = formatById(id).read(tapeFileFromText(`${text.slice(0, at)}"payload"${text.slice(at + 6)}`));
      assert.ok(tape.problems.some(isNotRead), JSON.stringify(tape.problems));
    });
  }
});
