import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { readCase } from '../../../src/core/cases/toml/readCase';
import { interactionToCurl } from '../../../src/core/export/curl';
import { exportInteraction } from '../../../src/core/export/exportInteraction';
import { transcriptHtml } from '../../../src/core/export/html';
import { interactionToCase } from '../../../src/core/export/scriptedCase';
import type { HttpExchange } from '../../../src/core/model/http';
import type { Interaction } from '../../../src/core/model/interaction';
import { mofaFormat } from '../../../src/core/tapes/formats/mofa/index';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { readTranscript } from '../../../src/core/transcript/transcriptReader';
import { exchange } from '../tapes/chatArbitraries';

const SECRET = 'sk-4Hq8Zt1VbN7xRw2LmK9pYc3D';

function http(url: string, headers: HttpExchange['requestHeaders'], body: string): Interaction {
  return {
    index: 0,
    kind: 'llm',
    source: { start: 0, end: 0 },
    http: {
      method: 'POST',
      url,
      requestHeaders: headers,
      requestBody: { type: 'text', text: body },
      responseHeaders: [],
      responseBody: { type: 'none' },
    },
  };
}

/** What a shell gives to curl. */
function argumentsOf(command: string, env: Readonly<Record<string, string>> = {}): string[] {
  const script = `curl() { for each; do printf '%s\\0' "$each"; done; }\n${command}`;
  const printed = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { PATH: process.env.PATH, ...env } });
  return printed.split('\0').slice(0, -1);
}

describe('an interaction as a curl command', () => {
  it('has variables in the place of keys', () => {
    const command = interactionToCurl(
      http(
        `https://generativelanguage.googleapis.com/v1/models/x:generateContent?key=${SECRET}&alt=sse`,
        [
          ['Authorization', `Bearer ${SECRET}`],
          ['X-Goog-Api-Key', SECRET],
          ['Cookie', SECRET],
          ['Content-Type', 'application/json'],
          ['X-Trace', 'a'],
        ],
        '{"a": 1}',
      ),
    );
    assert.ok(command && !command.includes(SECRET));
    assert.deepEqual(argumentsOf(command, { GEMINI_API_KEY: 'mine' }), [
      'https://generativelanguage.googleapis.com/v1/models/x:generateContent?key=mine&alt=sse',
      ...['-H', 'x-goog-api-key: mine', '-H', 'Content-Type: application/json', '-H', 'X-Trace: a'],
      ...['--data-raw', '{"a": 1}'],
    ]);
  });

  it('says to a shell exactly what was sent, and runs nothing of it', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary-ascii' }),
      fc.constantFrom("'; touch /tmp/pwned; '", '$(id)', '`id`', "it's", '\\', '"$HOME"', '-K /etc/passwd', '@file'),
    );
    fc.assert(
      fc.property(hostile, hostile, (value, body) => {
        const clean = (text: string): string => text.replaceAll('\0', '');
        fc.pre(clean(body) !== '');
        const command = interactionToCurl(
          http('https://api.openai.com/v1/chat/completions', [['X-Value', clean(value)]], clean(body)),
        );
        const sent = argumentsOf(command ?? '');
        assert.equal(sent[sent.indexOf('--data-raw') + 1], clean(body));
        assert.ok(sent.includes(`X-Value: ${clean(value)}`));
      }),
      { numRuns: 30 },
    );
  });

  it('asks an OpenAI-compatible server where no HTTP was recorded, and is nothing without a request', () => {
    const file = tapeFileFromText(
      mofaFormat.serialise('t', [
        {
          request: { model: 'm', messages: [{ role: 'user', content: 'hi', toolCalls: [] }], tools: [], params: {} },
          response: { content: 'Hello', toolCalls: [] },
        },
        { response: { content: 'Hello', toolCalls: [] } },
      ]),
    );
    const sent = argumentsOf(exportInteraction(file, 0, 'curl') ?? '', { OPENAI_BASE_URL: 'http://x/v1' });
    assert.equal(sent[0], 'http://x/v1/chat/completions');
    assert.deepEqual(JSON.parse(sent.at(-1) ?? ''), { model: 'm', messages: [{ role: 'user', content: 'hi' }] });
    assert.equal(exportInteraction(file, 1, 'curl'), undefined);
    assert.match(exportInteraction(file, 0, 'text') ?? '', /── interaction 1 of 2 ──\nuser\n {2}hi\nassistant/);
    assert.match(exportInteraction(file, 0, 'markdown') ?? '', /^## Interaction 1 \(m\)\n\n### User\n\nhi/);
    assert.equal(JSON.parse(exportInteraction(file, 0, 'json') ?? '').response.message.content, 'Hello');
  });
});

describe('an interaction as a case', () => {
  it('is a case that reads as what was recorded', () => {
    fc.assert(
      fc.property(exchange, ({ request, response }) => {
        const messages = [...(request?.messages ?? []), { role: 'user', content: 'a "prompt"\nof two', toolCalls: [] }];
        const interaction: Interaction = {
          index: 0,
          kind: 'llm',
          source: { start: 0, end: 0 },
          request: { messages, tools: [], params: {} },
          response: { ...response, toolCalls: response.toolCalls.filter(({ name }) => name.trim() !== '') },
        };
        const toml = interactionToCase('made', interaction, []);
        const { value, problems } = readCase(toml);
        assert.deepEqual(
          problems.map(({ message }) => message),
          [],
          toml,
        );
        assert.equal(value?.prompt, 'a "prompt"\nof two');
      }),
      { numRuns: 60 },
    );
  });
});

describe('a transcript as a page', () => {
  it('has no script and loads nothing, whatever was recorded', () => {
    const text = '<script>x</script><img src=x onerror=y> " \' & </style></title>';
    const file = tapeFileFromText(mofaFormat.serialise(text, [{ response: { content: text, toolCalls: [] } }]));
    const transcript = readTranscript(file);
    assert.ok(transcript);
    const html = transcriptHtml(transcript);
    assert.ok(!/<script|<img|<link|<iframe/i.test(html));
    assert.match(html, /default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='/);
    assert.ok(html.includes('&lt;script&gt;x&lt;/script&gt;'));
  });
});
