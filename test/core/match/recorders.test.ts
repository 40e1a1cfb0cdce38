import assert from 'node:assert/strict';
import type { Json } from '../../../src/core/json/json';
import { createMatcher } from '../../../src/core/match/matcher';
import { recordedRequests } from '../../../src/core/match/recordings';
import type { MatchMode } from '../../../src/core/model/case';
import type { TapeFormat } from '../../../src/core/tapes/format';
import { aimockFormat } from '../../../src/core/tapes/formats/aimock/index';
import { httprrFormat } from '../../../src/core/tapes/formats/httprr/index';
import { vcrpyFormat } from '../../../src/core/tapes/formats/vcrpy/index';
import { wiremockFormat } from '../../../src/core/tapes/formats/wiremock/index';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { matchOf } from './requestPairs';

const CHAT = 'https://api.openai.com/v1/chat/completions';
const user = (content: string): Json => ({ role: 'user', content });
const system = (content: string): Json => ({ role: 'system', content });
const chat = (...messages: readonly Json[]): Json => ({ model: 'gpt-4o', messages: [...messages] });

/** A matcher over recordings of these requests. */
function over(
  format: TapeFormat,
  match: MatchMode,
  requests: readonly { readonly url?: string; readonly body: Json }[],
) {
  const interactions = requests.map(({ url = CHAT, body }, index) => ({
    index,
    kind: 'llm' as const,
    http: {
      method: 'POST',
      url,
      requestHeaders: [],
      requestBody: { type: 'text' as const, text: JSON.stringify(body) },
      status: 200,
      responseHeaders: [],
      responseBody: { type: 'none' as const },
    },
    source: { start: 0, end: 0 },
  }));
  const recorded = recordedRequests({ format: format.id, interactions, problems: [] }, format);
  return matching(createMatcher(recorded, { match, masks: [], format }));
}

function matching(matcher: ReturnType<typeof createMatcher>) {
  return (body: Json, url = CHAT): string => {
    const taken = matcher.take({
      method: 'POST',
      url,
      headers: [],
      body: new TextEncoder().encode(JSON.stringify(body)),
    });
    return 'index' in taken ? `${taken.kind} ${taken.index}` : taken.kind;
  };
}

describe('matching as the recorder of a tape does', () => {
  it("plays vcrpy's recordings of an address in their order, and tells what differs", () => {
    const [one, two] = [{ body: chat(user('a')) }, { body: chat(user('b')) }];
    const take = over(vcrpyFormat, 'recorder', [one, two, one, { body: chat(user('c')), url: `${CHAT}?v=2` }]);
    assert.equal(take(chat(user('a'))), 'exact 0');
    // Not the later recording that is equal.
    assert.equal(take(chat(user('a'))), 'differs 1');
    assert.equal(take(chat(user('z'))), 'differs 2');
    assert.equal(take(chat(user('a'))), 'used-up');
    assert.equal(take(chat(user('z')), `${CHAT}?v=2`), 'differs 3');
  });

  it('compares requests where the recorder does, and plays httprr again and again', () => {
    const take = over(httprrFormat, 'recorder', [{ body: chat(user('a')) }]);
    assert.deepEqual([take(chat(user('a'))), take(chat(user('a')))], ['exact 0', 'exact 0']);
    assert.equal(take(chat(user('b'))), 'drifted');
    const twice = over(httprrFormat, 'recorder', [{ body: chat(user('a')) }, { body: chat(user('a')) }]);
    assert.deepEqual([twice(chat(user('a'))), twice(chat(user('a')))], ['exact 1', 'exact 1'], 'it knows the last one');
    const once = over(httprrFormat, 'exact', [{ body: chat(user('a')) }]);
    assert.deepEqual([once(chat(user('a'))), once(chat(user('a')))], ['exact 0', 'used-up']);
  });
});

describe('stubs of WireMock', () => {
  it('serve every request that has what they name, again and again', () => {
    const take = over(wiremockFormat, 'recorder', [
      { body: chat(user('a')) },
      { url: 'https://api.example.com/any', body: '' },
    ]);
    assert.equal(take(chat(user('a'))), 'exact 0');
    assert.equal(take({ ...(chat(user('a')) as object), seed: 1 }), 'differs 0');
    assert.match(take(chat(user('b'))), /drifted|missing/);
    assert.equal(take(chat(user('x')), 'https://api.example.com/any'), 'unchecked 1');
    assert.equal(take(chat(user('y')), 'https://api.example.com/any'), 'unchecked 1');
  });
});

describe('stubs of WireMock of which several fit', () => {
  const any = 'https://api.example.com/any';
  const named = (more: object): Json => ({ ...(chat(user('a')) as object), ...more });

  it('serve the one that was added last', () => {
    const [wide, narrow] = [{ body: named({}) }, { body: named({ seed: 1 }) }];
    const take = over(wiremockFormat, 'recorder', [wide, narrow]);
    const asked = named({ seed: 1, top_p: 0.5 });
    assert.deepEqual([take(asked), take(asked), take(named({ seed: 2 }))], ['differs 1', 'differs 1', 'differs 0']);
    const other = over(wiremockFormat, 'recorder', [narrow, wide]);
    assert.deepEqual([other(asked), other(asked)], ['differs 1', 'differs 1']);
    const caught = over(wiremockFormat, 'recorder', [
      { url: any, body: named({}) },
      { url: any, body: '' },
    ]);
    assert.equal(caught(named({ seed: 1 }), any), 'unchecked 1');
  });

  it('serve those of one request in their order, as the states of a scenario', () => {
    const take = over(wiremockFormat, 'recorder', [
      { body: named({}) },
      { body: named({ seed: 1 }) },
      { body: named({ seed: 1 }) },
    ]);
    const asked = named({ seed: 1, top_p: 0.5 });
    assert.deepEqual([take(asked), take(asked), take(asked)], ['differs 1', 'differs 2', 'differs 2']);
  });
});

describe('rules of aimock', () => {
  const rules = (...fixtures: readonly { readonly match: Json; readonly response?: Json }[]) => {
    const text = JSON.stringify({ fixtures: fixtures.map((one) => ({ response: { content: 'ok' }, ...one })) });
    const tape = aimockFormat.read(tapeFileFromText(text, 'f.json'));
    return matching(
      createMatcher(recordedRequests(tape, aimockFormat), { match: 'recorder', masks: [], format: aimockFormat }),
    );
  };

  it('serve the requests that contain what they name, again and again', () => {
    const take = rules(
      { match: { userMessage: 'plan my trip', model: 'claude' } },
      { match: { userMessage: 'plan my trip' } },
      { match: { systemMessage: ['A', 'B'] } },
      { match: { toolName: 'weather' } },
    );
    for (const body of [
      chat(user('plan my trip')),
      chat(system('sys'), user('please plan my trip now')),
      chat(user('hello'), { role: 'assistant', content: 'hi' }, user('plan my trip')),
      { messages: [user('plan my trip')] },
      { model: 'gpt-4o', temperature: 1, messages: [user('plan my trip')] },
    ])
      assert.equal(take(body), 'exact 1');
    assert.equal(take({ model: 'claude', messages: [user('plan my trip')] }), 'exact 0');
    assert.equal(take(chat(system('B and A'), user('x'))), 'exact 2');
    // aimock takes a developer's message for the system's in Responses alone.
    const developer = { role: 'developer', content: 'B and A' };
    assert.match(take(chat(developer, user('x'))), /missing|drifted/);
    assert.equal(
      take({ model: 'gpt-4o', input: [developer, user('x')] }, CHAT.replace('chat/completions', 'responses')),
      'exact 2',
    );
    const tools = [{ type: 'function', function: { name: 'weather', parameters: {} } }];
    assert.equal(take({ model: 'm', messages: [user('x')], tools }), 'exact 3');
    assert.match(take(chat(user('plan my trip'), user('no'))), /missing|drifted/);
    assert.match(take(chat(user('plan a trip'))), /missing|drifted/);
  });

  it('serve them when they say', () => {
    const take = rules(
      { match: { userMessage: 'go', sequenceIndex: 0 } },
      { match: { userMessage: 'go', sequenceIndex: 1 } },
      { match: { userMessage: 'turn', turnIndex: 1 } },
      { match: { userMessage: 'turn', turnIndex: 0 } },
      { match: { userMessage: 'tool', hasToolResult: true } },
      { match: { userMessage: 'tool', hasToolResult: false } },
      { match: { toolCallId: 'c7' } },
    );
    const said = { role: 'assistant', content: 'hi' };
    const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'r' });
    assert.deepEqual([take(chat(user('go'))), take(chat(user('go')))], ['exact 0', 'exact 1']);
    assert.equal(take(chat(user('turn'))), 'exact 3');
    assert.equal(take(chat(user('x'), said, user('turn'))), 'exact 2');
    assert.equal(take(chat(user('tool'))), 'exact 5');
    assert.equal(take(chat(user('tool'), said, result('c1'))), 'exact 4');
    assert.equal(take(chat(user('x'), said, result('c7'))), 'exact 6');
  });
});

describe('matching as a subset', () => {
  const kindOf = (before: Json, after: Json, url?: string) =>
    matchOf(before, after, { match: 'subset', ...(url && { url }) }).kind;
  const recorded = chat(user('a'));

  it('lets a request have more parameters, tools, and instructions', () => {
    const tool = (name: string) => ({ type: 'function', function: { name } });
    assert.equal(kindOf(recorded, { ...(recorded as object), max_tokens: 5 }), 'masked');
    assert.equal(kindOf(recorded, chat(system('s'), user('a'))), 'masked');
    assert.equal(kindOf(recorded, chat({ role: 'developer', content: 's' }, user('a'))), 'masked');
    assert.equal(kindOf(chat(system('s'), user('a')), chat(system('r'), system('s'), user('a'))), 'masked');
    const [one, two] = [
      { ...(recorded as object), tools: [tool('b')] },
      { ...(recorded as object), tools: [tool('a'), tool('b')] },
    ];
    assert.equal(kindOf(one, two), 'masked');
    const claude = { model: 'claude', max_tokens: 9, messages: [user('a')] };
    assert.equal(kindOf(claude, { ...claude, system: 's' }, 'https://api.anthropic.com/v1/messages'), 'masked');
    const gemini = { contents: [{ role: 'user', parts: [{ text: 'a' }] }] };
    const url = 'https://generativelanguage.googleapis.com/v1beta/models/g:generateContent';
    assert.equal(kindOf(gemini, { ...gemini, systemInstruction: { parts: [{ text: 's' }] } }, url), 'masked');
    const responses = { model: 'm', input: [user('a')] };
    assert.equal(
      kindOf(responses, { ...responses, instructions: 's' }, 'https://api.openai.com/v1/responses'),
      'masked',
    );
  });

  it('does not let it be another conversation', () => {
    assert.equal(kindOf(recorded, chat(user('a'), user('b'))), 'drifted');
    assert.equal(kindOf(recorded, chat(user('b'), user('a'))), 'drifted');
    assert.equal(kindOf(recorded, chat(user('a'), { role: 'assistant', content: 'x' }, user('a'))), 'drifted');
    assert.equal(kindOf(chat(system('s'), user('a')), chat(user('a'))), 'drifted');
    assert.equal(kindOf(chat(system('s'), user('a')), chat(system('t'), user('a'))), 'drifted');
  });
});

describe('a recording whose URL was left out', () => {
  const HIDDEN = [
    '**REDACTED**',
    'REDACTED',
    'redacted',
    '<REDACTED>',
    '[REDACTED]',
    '{{REDACTED_URL}}',
    'https://**REDACTED**',
    'https://REDACTED',
    'https://REDACTED/',
    'https://REDACTED/REDACTED',
    'https://api.openai.com/**REDACTED**',
    'https://api.openai.com/v1/REDACTED',
    'https://api.openai.com/v1/<FILTERED>',
    'https://%2A%2AREDACTED%2A%2A',
    'http://dummy',
    'https://XXXXX',
    'FILTERED_URL',
    '',
    '/',
    '/**REDACTED**?key=**REDACTED**',
  ];
  const KNOWN = [
    'chat/completions',
    '/v1/chat/completions',
    'api.openai.com/v1/chat/completions',
    '<API_HOST>/v1/chat/completions',
    '{{base_url}}/chat/completions',
    'https://FILTERED/v1/chat/completions',
    'HTTPS://API.OPENAI.COM:443//v1/chat/completions/#x',
  ];

  for (const url of [...HIDDEN, ...KNOWN])
    it(`as in ${JSON.stringify(url)} is found by its body`, () => {
      for (const match of ['exact', 'subset', 'sequence', 'recorder'] as const) {
        const take = over(vcrpyFormat, match, [
          { url, body: chat(user('a')) },
          { url, body: chat(user('b')) },
        ]);
        assert.equal(take(chat(user('a'))), 'exact 0', match);
        assert.equal(take(chat(user('b'))), 'exact 1', match);
      }
      const take = over(vcrpyFormat, 'exact', [{ url, body: chat(user('a')) }]);
      assert.equal(take(chat(user('c'))), 'drifted');
    });

  it('is not found where the URL says where it went', () => {
    for (const url of ['https://api.openai.com/v1/private', 'https://api.openai.com/v1/moderations', '/v1/url']) {
      const take = over(vcrpyFormat, 'exact', [{ url, body: chat(user('a')) }]);
      assert.match(take(chat(user('a'))), /missing|drifted/, url);
    }
  });

  it('is found with a model in the address of the request', () => {
    const body = { contents: [{ role: 'user', parts: [{ text: 'a' }] }] };
    const take = over(vcrpyFormat, 'exact', [{ url: '**REDACTED**', body }]);
    assert.match(
      take(body, 'https://generativelanguage.googleapis.com/v1beta/models/g:generateContent?alt=sse'),
      / 0$/,
    );
  });
});
