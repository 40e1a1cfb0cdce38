import assert from 'node:assert/strict';
import { compactJson } from '../../../../src/core/json/json';
import type { HttpExchange } from '../../../../src/core/model/http';
import type { ProtocolId } from '../../../../src/core/model/interaction';
import type { FormatId } from '../../../../src/core/model/tape';
import { redactValue } from '../../../../src/core/secrets/redactTape';
import { editTape } from '../../../../src/core/tapes/edits/editTape';
import type { TapeEdit } from '../../../../src/core/tapes/format';
import { httprrFormat } from '../../../../src/core/tapes/formats/httprr/index';
import { vcrpyFormat } from '../../../../src/core/tapes/formats/vcrpy/index';
import { formats } from '../../../../src/core/tapes/registry';
import { type TapeFile, tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { applySplices } from '../../../../src/core/text/splice';
import { readExchange } from '../../../../src/core/wire/read/readExchange';
import { checkEdit } from './checkEdit';

const chat = (prompt: string, content: string) => ({
  kind: 'llm' as const,
  request: {
    model: 'gpt-4.1-mini',
    messages: [{ role: 'user', content: prompt, toolCalls: [] }],
    tools: [],
    params: {},
  },
  response: { content, toolCalls: [] },
});

/** Of the formats that nothing is recorded in, as their authors write them. */
const WRITTEN: Partial<Record<FormatId, string>> = {
  'mofa-scenario': `suite_name: s
llm:
  responses:
    - prompt_substring: hello
      response: "Hi."   # kept
  response_sequences:
    - prompt_substring: again
      responses:
        - one
        - two
tools:
  - name: t
    result_sequence:
      - text: sunny
`,
  'mofa-agent-scenario': `agent_id: a
turns:
  - user: hello
    expect:
      - kind: respond_exact
        text: Hi.
`,
  nock: JSON.stringify(
    [
      {
        scope: 'https://api.openai.com:443',
        method: 'POST',
        path: '/v1/chat/completions',
        body: { model: 'gpt-4.1-mini', messages: [{ role: 'user', content: 'hello' }] },
        status: 200,
        response: {
          id: 'c',
          object: 'chat.completion',
          model: 'gpt-4.1-mini',
          choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
        },
        rawHeaders: ['Content-Type', 'application/json'],
      },
    ],
    undefined,
    4,
  ),
  flakestorm: `id: s
input: hello
contract: default
tool_responses:
  - tool: search
    response: sunny
`,
};

function sampleOf(id: FormatId): TapeFile {
  const format = formats.find((one) => one.id === id);
  const text = WRITTEN[id] ?? format?.serialise?.('a name', [chat('one', 'First.'), chat('two', 'Second.')]);
  assert.ok(text !== undefined, `no sample of ${id}`);
  return tapeFileFromText(text);
}

/** The texts and the kinds of a tape after an edit that must be made. */
function edited(file: TapeFile, edit: Exclude<TapeEdit, { type: 'redact' }>): TapeFile {
  const outcome = checkEdit(file, edit);
  assert.ok(typeof outcome !== 'string', `${JSON.stringify(edit)}: ${outcome}`);
  assert.deepEqual(
    outcome.tape.problems.filter(({ severity }) => severity === 'error'),
    [],
  );
  return tapeFileFromText(outcome.text);
}

function withText(file: TapeFile, interaction: number, text: string): TapeFile {
  const outcome = editTape(file, { type: 'response-text', interaction, text }, redactValue);
  assert.ok('splices' in outcome, JSON.stringify(outcome));
  return tapeFileFromText(applySplices(file.text, outcome.splices));
}

function refusal(file: TapeFile, interaction: number): string {
  const outcome = editTape(file, { type: 'add', interaction }, redactValue);
  assert.ok('refused' in outcome, JSON.stringify(outcome));
  return outcome.refused;
}

describe('an empty interaction', () => {
  for (const { id, label, editText, read } of formats.filter((format) => format.editText !== undefined)) {
    it(`is added anywhere in a ${label}, and its response can be typed`, () => {
      assert.ok(editText);
      const sample = sampleOf(id);
      const { interactions } = read(sample);
      for (const { index: interaction, kind } of interactions) {
        if (id === 'flakestorm' && kind === 'script') continue;
        const once = edited(sample, { type: 'add', interaction });
        const twice = edited(once, { type: 'add', interaction: interaction + 1 });
        const typed = withText(twice, interaction + 1, 'It is "there".');
        assert.deepEqual(
          read(typed).interactions.map(({ response }) => response?.content ?? ''),
          [
            ...interactions.slice(0, interaction + 1).map(({ response }) => response?.content ?? ''),
            'It is "there".',
            '',
            ...interactions.slice(interaction + 1).map(({ response }) => response?.content ?? ''),
          ],
        );
      }
    });
  }

  const CALLS: readonly (readonly [ProtocolId, url: string, request: object])[] = [
    [
      'openai-chat',
      'https://api.openai.com/v1/chat/completions',
      { model: 'm', messages: [{ role: 'user', content: 'x' }] },
    ],
    ['openai-responses', 'https://api.openai.com/v1/responses', { model: 'm', input: 'x' }],
    ['anthropic-messages', 'https://api.anthropic.com/v1/messages', { model: 'm', max_tokens: 1, messages: [] }],
    ['gemini', 'https://example.com/v1beta/models/m:streamGenerateContent?alt=sse', { contents: [] }],
    ['gemini-interactions', 'https://example.com/v1beta/interactions', { model: 'm', input: 'x' }],
    ['bedrock-converse', 'https://example.com/model/m/converse-stream', { messages: [] }],
    ['ollama', 'http://localhost:11434/api/chat', { model: 'm', messages: [] }],
    ['cohere', 'https://api.cohere.com/v2/chat', { model: 'm', messages: [] }],
  ];
  const exchangeTo = (url: string, request: object): HttpExchange => ({
    method: 'POST',
    url,
    requestHeaders: [['authorization', 'Bearer sk-4Hq8Zt1VbN7x']],
    requestBody: { type: 'text', text: compactJson(JSON.parse(JSON.stringify(request))) },
    status: 200,
    responseHeaders: [],
    responseBody: { type: 'none' },
  });

  for (const [api, url, request] of CALLS) {
    it(`speaks the protocol of the one before it: ${api}`, () => {
      for (const format of [vcrpyFormat, httprrFormat]) {
        const sample = tapeFileFromText(format.serialise('', [{ http: exchangeTo(url, request) }]));
        const added = edited(sample, { type: 'add', interaction: 0 });
        const { http } = format.read(added).interactions[1] ?? {};
        assert.ok(http);
        const read = readExchange(http);
        assert.equal(read.api, api);
        assert.equal(read.request?.messages[0]?.content, 'New request');
        assert.equal(read.response?.usage?.totalTokens, 0);
        assert.doesNotMatch(JSON.stringify(http.requestHeaders), /sk-4Hq/);
        assert.doesNotMatch(http.url, /stream|sse/);
        const typed = withText(added, 1, 'Hello');
        assert.equal(format.read(typed).interactions[1]?.response?.content, 'Hello');
      }
    });
  }

  it('is laid out as the others are, and comments stay where they are', () => {
    const scenario = edited(sampleOf('mofa-scenario'), { type: 'add', interaction: 0 }).text;
    assert.ok(
      scenario.includes(
        '      response: "Hi."   # kept\n    - prompt_substring: New request\n      response: \'\'\n  response_sequences:',
      ),
      scenario,
    );
    const tape =
      '{"version":1,"case_name":"c","interactions":[{"request":null,"response":"Hi","tool_calls":[],"usage":null}]}';
    const added = edited(tapeFileFromText(tape), { type: 'add', interaction: 0 }).text;
    assert.ok(added.startsWith(tape.slice(0, -2)), added);
    assert.ok(added.includes('"usage":null},{"request":{"messages":[{"role":"user","content":"New request"'), added);
    const windows = sampleOf('vcrpy').text.replaceAll('\n', '\r\n');
    assert.doesNotMatch(edited(tapeFileFromText(windows), { type: 'add', interaction: 0 }).text, /[^\r]\n/);
  });

  it('is numbered with the others, and hashes follow', () => {
    const cassette = edited(sampleOf('checkagent'), { type: 'add', interaction: 0 }).text;
    assert.deepEqual(
      [...cassette.matchAll(/"sequence": (\d+)/g)].map(([, number]) => number),
      ['0', '1', '2'],
    );
  });

  it('says why there is none', () => {
    const completion = exchangeTo('https://api.openai.com/v1/completions', { model: 'm', prompt: 'Once' });
    const body = { type: 'text', text: '{"choices":[{"text":" upon"}]}' } as const;
    const older = tapeFileFromText(vcrpyFormat.serialise('', [{ http: { ...completion, responseBody: body } }]));
    assert.match(refusal(older, 0), /Duplicate this one and edit it\.$/);
    assert.match(refusal(sampleOf('flakestorm'), 0), /Duplicate this one and edit it\.$/);
    const toml = tapeFileFromText('agent_id = "a"\n[[turns]]\nuser = "hello"\n');
    assert.match(refusal(toml, 0), /not a list\. Change them in the text editor\.$/);
  });
});
