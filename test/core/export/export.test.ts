import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { openTranscript } from '../../../src/core/transcript/transcriptReader';
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

/** What the fake curl prints after each argument. */
const END = '<end of the argument>';

/** What a shell gives to curl: its arguments, and in place of `@-` what comes over the pipe. */
function argumentsOf(command: string, env: Readonly<Record<string, string>> = {}): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'tapedeck-curl-'));
  try {
    const script = `#!/bin/sh
for each; do
  if [ "$each" = @- ]; then cat; else printf '%s' "$each"; fi
  printf '%s' '${END}'
done
`;
    writeFileSync(join(folder, 'curl'), script, { mode: 0o755 });
    const options = { cwd: folder, env: { PATH: `${folder}:${process.env.PATH}`, ...env } };
    const printed = execFileSync('sh', ['-c', command], { ...options, encoding: 'utf8' });
    assert.deepEqual(readdirSync(folder), ['curl'], command);
    return printed.split(END).slice(0, -1);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The values of an option among the arguments. */
function valuesOf(sent: readonly string[], option: string): string[] {
  return sent.flatMap((argument, index) => (argument === option ? [sent[index + 1] ?? ''] : []));
}

function curlOf(url: string, headers: HttpExchange['requestHeaders'] = [], body = '{}'): string | undefined {
  return interactionToCurl(http(url, headers, body));
}

describe('an interaction as a curl command', () => {
  it('has variables in the place of keys', () => {
    const command = curlOf(
      `https://generativelanguage.googleapis.com/v1/models/x:generateContent?key=${SECRET}&alt=sse`,
      [
        ['Authorization', `Bearer ${SECRET}`],
        ['X-Goog-Api-Key', SECRET],
        ['Cookie', SECRET],
        ['Content-Type', 'application/json'],
        ['X-Trace', 'a'],
      ],
      '{"a": 1}',
    );
    assert.ok(command && !command.includes(SECRET));
    assert.deepEqual(argumentsOf(command, { GEMINI_API_KEY: 'mine' }), [
      '--globoff',
      ...['--url', 'https://generativelanguage.googleapis.com/v1/models/x:generateContent?key=mine&alt=sse'],
      ...['-H', 'x-goog-api-key: mine', '-H', 'Content-Type: application/json', '-H', 'X-Trace: a'],
      ...['--data-raw', '{"a": 1}'],
    ]);
  });

  const KEYS = {
    OPENAI_API_KEY: 'sk-openai',
    ANTHROPIC_API_KEY: 'sk-anthropic',
    GEMINI_API_KEY: 'gemini',
    AZURE_OPENAI_API_KEY: 'az-key',
    API_KEY: 'general-key',
  };
  const WITH_KEY: HttpExchange['requestHeaders'] = [['Authorization', 'Bearer x']];
  const keysIn = (url: string): string[] => {
    const sent = argumentsOf(curlOf(url, WITH_KEY) ?? '', KEYS);
    return Object.values(KEYS).filter((key) => sent.some((argument) => argument.includes(key)));
  };

  it("gives a provider's key to the provider's own host", () => {
    assert.deepEqual(keysIn('https://api.openai.com/v1/chat/completions'), ['sk-openai']);
    assert.deepEqual(keysIn('https://API.OpenAI.com:443/v1/chat/completions'), ['sk-openai']);
    assert.deepEqual(keysIn('https://api.anthropic.com/v1/messages'), ['sk-anthropic']);
    assert.deepEqual(keysIn('https://mine.openai.azure.com/openai/deployments/x'), ['az-key']);
  });

  for (const url of [
    'https://openai.evil.example/v1',
    'https://api.openai.com.evil.example/v1',
    'https://api.openai.com@evil.example/v1',
    'https://api.openai.com:secret@evil.example/v1',
    'https://evil.example/api.openai.com',
    'https://evil.example?https://api.openai.com',
    'https://evil.example\\@api.openai.com/v1',
    'https://api.openai.com:8443/v1',
    'http://api.openai.com/v1',
    'https://evil-openai.azure.com.example/',
    'https://openai.azure.com.evil.example/',
    'https://evilanthropic.com/v1',
    'https://api.anthropic.com./v1',
    'HTTPS://api.openai.com\t.evil.example/v1',
  ])
    it(`gives no key of anyone to ${JSON.stringify(url)}`, () => {
      assert.deepEqual(keysIn(url), []);
    });

  it('says which key another host wants, by a variable that is named after it', () => {
    const sent = argumentsOf(curlOf('https://gateway.example:8443/v1', WITH_KEY) ?? '', {
      KEY_FOR_GATEWAY_EXAMPLE_8443: 'mine',
    });
    assert.deepEqual(valuesOf(sent, '-H').slice(0, 1), ['Authorization: Bearer mine']);
  });

  it('never makes an option, a file or another protocol of an address', () => {
    for (const url of [
      '-K/etc/passwd',
      '--config=/etc/passwd',
      '@/etc/passwd',
      'file:///etc/passwd',
      'gopher://x/',
      '',
    ])
      assert.equal(curlOf(url), undefined, url);
    assert.deepEqual(argumentsOf(curlOf('/v1/-K') ?? '', { BASE_URL: 'http://127.0.0.1:1' }).slice(0, 3), [
      ...['--globoff', '--url', 'http://127.0.0.1:1/v1/-K'],
    ]);
    assert.throws(() => argumentsOf(curlOf('//evil.example/v1') ?? ''), /BASE_URL/);
  });

  it('leaves out what is no header, because curl reads `@file` in its place', () => {
    const sent = argumentsOf(
      curlOf('https://x.example/', [
        ['@/etc/passwd', 'x'],
        ['bad name', 'y'],
        ['X-Empty', ''],
      ]) ?? '',
    );
    assert.deepEqual(valuesOf(sent, '-H'), ['Content-Type: application/json', 'X-Empty;']);
  });

  const hostile = fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary-ascii' }),
        fc.string({ unit: 'binary' }),
        fc.constantFrom(
          "'; touch pwned; '",
          '$(touch pwned)',
          '`touch pwned`',
          "it's",
          '\\',
          '"$HOME"',
          '%s%n',
          '\\060',
        ),
        fc.constantFrom(
          '-K /etc/passwd',
          '@file',
          '\n',
          '\r',
          '\u001b[201~\r touch pwned\r',
          '\0',
          '\u009b',
          '!!',
          '~',
          '-',
        ),
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join('').replace(/\p{Cs}/gu, ''));

  it('says to a shell exactly what was sent, runs nothing of it, and has nothing that a terminal acts on', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, hostile, (value, body, name, path) => {
        const headers = [
          ['X-Value', value],
          [name, 'x'],
        ] as const;
        const command = curlOf(`https://x.example/${path}`, headers, body) ?? '';
        assert.ok(!/(?!\n)\p{Cc}/u.test(command), JSON.stringify(command));
        const sent = argumentsOf(command);
        const options = new Set(['--globoff', '--url', '-H', '--data-raw', '--data-binary', '--request', '--head']);
        const values = new Set(['--url', '-H', '--data-raw', '--data-binary', '--request']);
        for (let at = 0; at < sent.length; at += values.has(sent[at] ?? '') ? 2 : 1)
          assert.ok(options.has(sent[at] ?? ''), `${sent[at]} of ${command}`);
        const { origin, pathname, search } = new URL(`https://x.example/${path}`);
        assert.deepEqual(valuesOf(sent, '--url'), [origin + pathname + search]);
        assert.deepEqual(
          [...valuesOf(sent, '--data-raw'), ...valuesOf(sent, '--data-binary')],
          body === '' ? [] : [body],
        );
        const shown = value.replace(/\p{Cc}/gu, ' ').trim();
        assert.ok(valuesOf(sent, '-H').includes(shown === '' ? 'X-Value;' : `X-Value: ${shown}`));
      }),
      { numRuns: 150 },
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
    assert.deepEqual(valuesOf(sent, '--url'), ['http://x/v1/chat/completions']);
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
    const transcript = openTranscript(file);
    assert.ok(transcript);
    const html = transcriptHtml(transcript);
    assert.ok(!/<script|<img|<link|<iframe/i.test(html));
    assert.match(html, /default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='/);
    assert.ok(html.includes('&lt;script&gt;x&lt;/script&gt;'));
  });

  it('says what it leaves out of a tape that is too large for it', () => {
    const answers = ['yes', 'y'.repeat(1234), 'no', 'never'];
    const responses = answers.map((content) => ({ response: { content, toolCalls: [] } }));
    const transcript = openTranscript(tapeFileFromText(mofaFormat.serialise('a', responses)));
    assert.ok(transcript);
    const html = transcriptHtml(transcript, { text: 1000, page: 1400 });
    assert.match(html, /y{1000}<\/pre><p class="quiet">234 more characters are left out\.</);
    assert.match(
      html,
      /<pre>no<\/pre>[\s\S]*The page ends here, after 3 of 4 interactions: more would make it too large\./,
    );
    assert.ok(!html.includes('never') && html.endsWith('</html>\n'));
  });
});
