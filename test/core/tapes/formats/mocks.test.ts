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

  for (const [id, name] of [
    ['hoverfly', 'request'],
    ['hoverfly', 'response'],
    ['mountebank', 'predicates'],
    ['mountebank', 'deepEquals'],
    ['mockserver', 'json'],
    ['postman', 'raw'],
  ] as const)
    it(`tell a side or a body by another name: ${name} of ${id}`, () => {
      const { text } = samples.find((one) => formatOf(tapeFileFromText(one.text)).id === id) ?? assert.fail(id);
      const tape = formatById(id).read(tapeFileFromText(text.replaceAll(`"${name}"`, '"renamed"')));
      assert.ok(tape.problems.some(isNotRead), JSON.stringify(tape.problems));
    });

  it('may forward requests, and ask for what is no part of one', () => {
    const texts = [
      '[{"httpRequest":{"path":"/a"},"httpForward":{"host":"x","port":80},"times":{"remainingTimes":1}}]',
      '{"imposters":[{"protocol":"http","stubs":[{"predicates":[{"exists":{"body":true}}],"responses":[{"proxy":{"to":"http://x"}}]}]}]}',
    ];
    for (const text of texts) {
      const { problems } = formatOf(tapeFileFromText(text)).read(tapeFileFromText(text));
      assert.deepEqual(problems.filter(isNotRead), [], text);
    }
  });
});
