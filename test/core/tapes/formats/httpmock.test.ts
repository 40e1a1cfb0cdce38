import assert from 'node:assert/strict';
import { httpmockFormat } from '../../../../src/core/tapes/formats/httpmock/index';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { editAnswer, readAs } from '../editing';

const exchange = (content: string): string => `when:
  path: /v1/chat/completions
  method: POST
  query_param:
  - name: api version
    value: a&b
  header:
  - name: content-type
    value: application/json
  body: '{"model":"gpt-4o","messages":[{"role":"user","content":"Hello"}]}'
then:
  status: 200
  header:
  - name: content-type
    value: application/json
  body: '{"choices":[{"message":{"role":"assistant","content":"${content}"}}]}'
`;
const TWO = `${exchange('One')}---\n${exchange('Two')}`;

describe('the httpmock format', () => {
  it('reads an exchange from every document', () => {
    const { interactions } = readAs('httpmock', TWO);
    assert.deepEqual(
      interactions.map(({ response }) => response?.content),
      ['One', 'Two'],
    );
    assert.equal(interactions[0]?.http?.url, '/v1/chat/completions?api%20version=a%26b');
    assert.equal(interactions[0]?.request?.messages[0]?.content, 'Hello');
    assert.equal(TWO.slice(interactions[1]?.source.start).startsWith('when:'), true);
    assert.equal(readAs('httpmock', `---\n${TWO}---\n`).interactions.length, 2);
  });

  it('reads bodies in base64', () => {
    const base64 = btoa('{"choices":[{"message":{"role":"assistant","content":"One"}}]}');
    for (const body of [`body: ${base64}\n  body_encoding: base64`, `body_base64: ${base64}`]) {
      const text = exchange('').replace(/ {2}body: '\{"choices.*/, `  ${body}`);
      assert.equal(readAs('httpmock', text).interactions[0]?.response?.content, 'One');
      assert(
        editAnswer(tapeFileFromText(text), 0, 'Two').text.includes(
          btoa('{"choices":[{"message":{"role":"assistant","content":"Two"}}]}'),
        ),
      );
    }
  });

  it('says that a recorder has lost a binary body', () => {
    const text = exchange('')
      .replace(/body: '\{"choices.*/, 'body: null')
      .replaceAll('application/json', 'audio/wav');
    const warnings = httpmockFormat
      .read(tapeFileFromText(text))
      .problems.filter(({ severity }) => severity === 'warning');
    assert.match(warnings[0]?.message ?? '', /lost the body.*audio\/wav/);
  });

  it('changes one document only, without folding', () => {
    const long = 'some more words '.repeat(30);
    assert.equal(editAnswer(tapeFileFromText(TWO), 1, long).text, `${exchange('One')}---\n${exchange(long)}`);
  });

  it('reports what is no exchange', () => {
    const { interactions, problems } = httpmockFormat.read(tapeFileFromText(`${exchange('One')}---\n- nothing\n`));
    assert.equal(interactions.length, 2);
    assert.match(problems[0]?.message ?? '', /must be an object/);
  });
});
