import assert from 'node:assert/strict';
import fc from 'fast-check';
import { azureTestProxyFormat } from '../../../../src/core/tapes/formats/azureTestProxy/index';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { editAnswer, RUNS, readAs } from '../editing';

const ANSWER = `{
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "temperature": 1.0,
        "choices": [ { "index": 0, "message": { "role": "assistant", "content": "Hello." }, "finish_reason": "stop" } ],
        "usage": { "prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5, "cost": 0.10 }
      }`;

/** One chat call, and whatever else its answer is. */
const record = (responseBody: string, type = 'application/json', headers = ''): string => `{
  "Entries": [
    {
      "RequestUri": "https://api.openai.com/v1/chat/completions",
      "RequestMethod": "POST",
      "RequestHeaders": { "Accept": [ "application/json", "text/plain" ], "Content-Type": "application/json" },
      "RequestBody": { "model": "gpt-4o", "messages": [ { "role": "user", "content": "Hi" } ], "top_p": 1.0 },
      "StatusCode": 200,
      "ResponseHeaders": { "Content-Type": "${type}"${headers} },
      "ResponseBody": ${responseBody}
    }
  ],
  "Variables": { "RandomSeed": "1" }
}
`;

const LINES = `[
        "data: {\\u0022id\\u0022:\\u00221\\u0022,\\u0022choices\\u0022:[{\\u0022index\\u0022:0,\\u0022delta\\u0022:{\\u0022role\\u0022:\\u0022assistant\\u0022,\\u0022content\\u0022:\\u0022Hel\\u0022}}]}\\n",
        "\\n",
        "data: {\\u0022id\\u0022:\\u00221\\u0022,\\u0022choices\\u0022:[{\\u0022index\\u0022:0,\\u0022delta\\u0022:{\\u0022content\\u0022:\\u0022lo.\\u0022},\\u0022finish_reason\\u0022:\\u0022stop\\u0022}]}\\n",
        "\\n",
        "data: [DONE]\\n",
        "\\n"
      ]`;

describe('the Azure test proxy format', () => {
  it('reads JSON bodies, lists of headers and the variables beside them', () => {
    const [chat] = readAs('azure-test-proxy', record(ANSWER)).interactions;
    assert.equal(chat?.api, 'openai-chat');
    assert.equal(chat?.request?.messages[0]?.content, 'Hi');
    assert.equal(chat?.response?.content, 'Hello.');
    assert.deepEqual(chat?.http?.requestHeaders.slice(0, 2), [
      ['Accept', 'application/json'],
      ['Accept', 'text/plain'],
    ]);
    assert.deepEqual(readAs('azure-test-proxy', '{"Entries": [], "Variables": {}}').interactions, []);
  });

  it('reads lists of lines, base64, plain text and lists that are JSON', () => {
    const body = (stored: string, type: string) => {
      const [interaction] = readAs('azure-test-proxy', record(stored, type)).interactions;
      return interaction?.http?.responseBody;
    };
    assert.equal(
      readAs('azure-test-proxy', record(LINES, 'text/event-stream')).interactions[0]?.response?.content,
      'Hello.',
    );
    assert.deepEqual(body('"AAEC"', 'audio/pcm'), { type: 'base64', base64: 'AAEC' });
    assert.deepEqual(body('"AAEC"', 'text/plain'), { type: 'text', text: 'AAEC' });
    assert.deepEqual(body('["a", "b"]', 'application/json'), { type: 'json', json: ['a', 'b'] });
    assert.deepEqual(body('["[1,\\n", "2]"]', 'application/json'), { type: 'text', text: '[1,\n2]' });
    assert.deepEqual(body('null', ''), { type: 'none' });
  });

  it('says where base64 is broken', () => {
    const text = record('"AAE*"', 'audio/pcm');
    const [problem] = azureTestProxyFormat.read(tapeFileFromText(text)).problems;
    assert.equal(problem?.message, 'the body is not valid base64');
    assert.equal(text.slice(problem?.span.start, problem?.span.end), '"AAE*"');
  });

  it('keeps the indexes of entries behind a broken one', () => {
    const text = record(ANSWER).replace('"Entries": [', '"Entries": [ 7,');
    const { interactions, problems } = azureTestProxyFormat.read(tapeFileFromText(text));
    assert.deepEqual(
      problems.map(({ message }) => message),
      ['an exchange must be an object'],
    );
    assert.deepEqual(
      interactions.map(({ kind, index }) => `${index} ${kind}`),
      ['0 http', '1 llm'],
    );
  });

  it('changes one string of a parsed body, and no number', () => {
    const { text } = editAnswer(tapeFileFromText(record(ANSWER)), 0, 'Hello "you"');
    assert.equal(text, record(ANSWER.replace('"Hello."', String.raw`"Hello \"you\""`)));
  });

  it('changes a content-length that is that of the JSON, and no other', () => {
    const compact = JSON.stringify(JSON.parse(ANSWER))
      .replace('"temperature":1', '"temperature":1.0')
      .replace('0.1}', '0.10}');
    const length = compact.length;
    const withLength = (said: number, answer = ANSWER): string =>
      record(answer, 'application/json', `, "Content-Length": "${said}"`);
    const edited = editAnswer(tapeFileFromText(withLength(length)), 0, 'Hellö.');
    assert.equal(edited.text, withLength(length + 1, ANSWER.replace('Hello', 'Hellö')));
    assert.deepEqual(edited.dependents, ['Content-Length'.toLowerCase()]);
    assert.equal(
      editAnswer(tapeFileFromText(withLength(12)), 0, 'Hi').text,
      withLength(12, ANSWER.replace('Hello.', 'Hi')),
    );
  });

  it('changes only the lines of a stream that tell the text, in the escapes of their writer', () => {
    const before = record(LINES, 'text/event-stream');
    const { text } = editAnswer(tapeFileFromText(before), 0, 'Help.');
    assert.equal(text.split('\n').length, before.split('\n').length);
    const changed = text.split('\n').filter((line, index) => line !== before.split('\n')[index]);
    assert.ok(changed.length <= 2 && changed.length > 0);
  });

  it('refuses what it cannot do, in words', () => {
    const refusal = (text: string, interaction: number) =>
      azureTestProxyFormat.editText(tapeFileFromText(text), { type: 'response-text', interaction, text: 'x' });
    assert.deepEqual(refusal(record(ANSWER), 3), { refused: 'The tape has no interaction 4 that could be changed.' });
    assert.deepEqual(refusal('{"Entries": [7]}', 0), {
      refused: 'The tape has no interaction 1 that could be changed.',
    });
    assert.ok('refused' in refusal(record('"AAEC"', 'audio/pcm'), 0));
  });

  it('takes any text, in a parsed body and in lines', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, streamed) => {
        editAnswer(tapeFileFromText(streamed ? record(LINES, 'text/event-stream') : record(ANSWER)), 0, text);
      }),
      RUNS,
    );
  });
});
