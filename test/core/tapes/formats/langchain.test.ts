import assert from 'node:assert/strict';
import { gzipSync } from 'fflate';
import { encodeBase64 } from '../../../../src/core/bytes/base64';
import { langchainGzFormat } from '../../../../src/core/tapes/formats/vcrpy/langchain';
import { decodeTapeFile, encodeTapeFile, tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { editAnswer, formatOf } from '../editing';

const body = (content: string): string => JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] });
const binary = (text: string): string =>
  `!!binary |\n    ${encodeBase64(new TextEncoder().encode(text)).replace(/.{76}(?=.)/g, '$&\n    ')}\n`;
const request = (
  content: string,
): string => `- body: ${binary(JSON.stringify({ messages: [{ role: 'user', content }] }))}  headers:
    authorization:
    - PLACEHOLDER
  method: POST
  uri: https://api.openai.com/v1/chat/completions
`;
const response = (content: string): string => `- body:
    string: ${binary(body(content)).replaceAll('\n    ', '\n      ')}  headers:
    content-type:
    - application/json
  status:
    code: 200
    message: OK
`;
const TEXT = `requests:\n${request('First?')}${request('Second?')}responses:\n${response('One')}${response('Two')}`;
const BYTES = gzipSync(new TextEncoder().encode(TEXT), { mtime: 1_700_000_000_000 });
const FILE = decodeTapeFile('TestOpenAI.test_invoke.yaml.gz', BYTES);

describe('the LangChain format', () => {
  it('puts requests and responses together', () => {
    assert.equal(formatOf(FILE).id, 'langchain-gz');
    const { interactions, problems } = langchainGzFormat.read(FILE);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      interactions.map((one) => [one.request?.messages[0]?.content, one.response?.content]),
      [
        ['First?', 'One'],
        ['Second?', 'Two'],
      ],
    );
    const [, second] = interactions;
    assert(second && FILE.text.slice(second.source.start).startsWith('body: !!binary'));
  });

  it('keeps the bytes without an edit, and the header of gzip with one', () => {
    assert.deepEqual(encodeTapeFile(FILE, FILE.text), BYTES);
    const { text } = editAnswer(FILE, 1, 'Three');
    const bytes = encodeTapeFile(FILE, text);
    assert.deepEqual(bytes.subarray(0, 10), BYTES.subarray(0, 10));
    assert.equal(text, TEXT.replace(response('Two'), response('Three')));
  });

  it('says where a response is missing', () => {
    const text = `requests:\n${request('First?')}${request('Second?')}responses:\n${response('One')}`;
    const { problems, interactions } = langchainGzFormat.read(tapeFileFromText(text));
    assert.equal(interactions.length, 2);
    assert.match(problems[0]?.message ?? '', /interaction 2 has no response/);
  });
});
