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

  it('have no response where another server, a function, or a fault makes it', () => {
    const is = { statusCode: '201', body: 'made' };
    const stubs = [{ responses: [{ proxy: { to: 'http://localhost' } }, { inject: 'f' }, { fault: 'RESET' }, { is }] }];
    const imposters = readAs('mountebank', JSON.stringify({ imposters: [{ port: 1, protocol: 'http', stubs }] }));
    const sent = { httpRequest: { path: '/a' } };
    const expectations = readAs(
      'mockserver',
      JSON.stringify([
        { ...sent, httpOverrideForwardedRequest: sent },
        { ...sent, httpError: { dropConnection: true } },
        { ...sent, httpResponse: { statusCode: 201, body: 'made' } },
      ]),
    );
    for (const { interactions } of [imposters, expectations]) {
      assert.deepEqual(interactions.at(-1)?.http?.responseBody, { type: 'text', text: 'made' });
      for (const one of interactions) assert.equal(one.http?.status, one === interactions.at(-1) ? 201 : undefined);
    }
    const forwarded = JSON.stringify({ ...sent, httpOverrideForwardedRequest: sent });
    assert.equal(readAs('mockserver', forwarded).interactions.length, 1);
  });

  it('leave out what speaks no HTTP', () => {
    const stubs = [{ responses: [{ is: { data: 'AAEC' } }] }];
    const tcp = { port: 1, protocol: 'tcp', stubs };
    assert.equal(detectFormat(tapeFileFromText(JSON.stringify({ imposters: [tcp] })))?.id, undefined);
    const both = [tcp, { port: 2, protocol: 'https', stubs: [{ responses: [{ is: { body: 'a' } }] }] }];
    assert.equal(readAs('mountebank', JSON.stringify({ imposters: both })).interactions.length, 1);
  });

  it('take what was sent from the request, where an example does not say it', () => {
    const url = { raw: 'https://api.openai.com/v1/chat/completions' };
    const response = [
      { name: 'OK', code: 200, body: '{"a":1}' },
      { name: 'Busy', code: 429, body: '{"b":1}' },
    ];
    const item = [
      { name: 'Chat', item: [{ request: { method: 'POST', url, body: { mode: 'raw', raw: '{}' } }, response }] },
    ];
    const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
    const { interactions } = readAs('postman', JSON.stringify({ info: { name: 'Demo', schema }, item }));
    assert.deepEqual(
      interactions.map(({ http }) => [http?.method, http?.url, http?.status]),
      [
        ['POST', url.raw, 200],
        ['POST', url.raw, 429],
      ],
    );
  });
});
