import assert from 'node:assert/strict';
import type { Json, JsonRecord } from '../../../src/core/json/json';
import { formatDrift } from '../../../src/core/match/formatDrift';
import { matchOf } from './requestPairs';

const user = { role: 'user', content: 'x' };
const system = { role: 'system', content: 'B' };
const call: JsonRecord = { model: 'gpt-4o', messages: [user] };
const tool = (name: string): Json => ({
  type: 'function',
  function: { name, description: 'd', parameters: { type: 'object', properties: {} } },
});
const UUIDS = ['6f9619ff-8b86-4d01-b42d-00cf4fc964ff', '11111111-2222-4333-8444-555555555555'] as const;

/** Requests that are one under their masks, whichever of them was recorded. */
const EQUAL: readonly (readonly [what: string, one: Json, other: Json, ...masks: string[]])[] = [
  ['a parameter', call, { ...call, user: 'u1' }, '/user'],
  ['a number', call, { ...call, temperature: 0.2 }, '/temperature'],
  ['a parameter with an empty one', { ...call, user: '' }, { ...call, user: 'u1' }, '/user'],
  [
    'one of several members',
    { ...call, metadata: { a: '1' } },
    { ...call, metadata: { a: '1', run: '7' } },
    '/metadata/run',
  ],
  ['the only member', call, { ...call, metadata: { run: '7' } }, '/metadata/run'],
  ['an object', call, { ...call, metadata: { run: '7' } }, '/metadata'],
  ['all members, by wildcard', call, { ...call, metadata: { run: '7', who: 'me' } }, '/metadata/*'],
  ['a member of an absent parent', call, { ...call, extra: { trace: { id: '7' } } }, '/extra/trace/id'],
  [
    'a member of an empty parent',
    { ...call, extra: { a: 1, trace: {} } },
    { ...call, extra: { a: 1, trace: { id: '7' } } },
    '/extra/trace/id',
  ],
  [
    'a member of an absent parent beside others',
    { ...call, extra: { a: 1 } },
    { ...call, extra: { a: 1, trace: { id: '7' } } },
    '/extra/trace/id',
  ],
  ['a list', call, { ...call, stop: ['a', 'b'] }, '/stop'],
  ['the elements of a list, by wildcard', { ...call, stop: ['a'] }, { ...call, stop: ['b', 'c'] }, '/stop/*'],
  ['an element of a list', { ...call, stop: ['a'] }, { ...call, stop: ['a', 'b'] }, '/stop/1'],
  [
    'a member of each element',
    { ...call, files: [{ name: 'a' }] },
    { ...call, files: [{ name: 'a', at: 1 }] },
    '/files/*/at',
  ],
  ['the model', { messages: [user] }, call, '/model'],
  ['one of the tools', { ...call, tools: [tool('a')] }, { ...call, tools: [tool('a'), tool('b')] }, '/tools/1'],
  ['the first of the tools', { ...call, tools: [tool('b')] }, { ...call, tools: [tool('a'), tool('b')] }, '/tools/0'],
  ['all tools', { ...call, tools: [tool('a')] }, { ...call, tools: [tool('a'), tool('b')] }, '/tools'],
  ['all tools, by wildcard', { ...call, tools: [tool('a')] }, { ...call, tools: [tool('a'), tool('b')] }, '/tools/*'],
  ['tools that one side does not have', call, { ...call, tools: [tool('b')] }, '/tools'],
  [
    'a member of a tool',
    { ...call, tools: [{ type: 'function', function: { name: 'a' } }] },
    { ...call, tools: [tool('a')] },
    '/tools/*/function/description',
    '/tools/*/function/parameters',
  ],
  ['the first message', call, { ...call, messages: [system, user] }, '/messages/0'],
  ['the last message', call, { ...call, messages: [user, system] }, '/messages/1'],
  [
    'the message in the middle',
    { ...call, messages: [user, user] },
    { ...call, messages: [user, system, user] },
    '/messages/1',
  ],
  ['all messages, by wildcard', call, { ...call, messages: [system, user] }, '/messages/*'],
  ['a member of a message', call, { ...call, messages: [{ ...user, name: 'ann' }] }, '/messages/*/name'],
  [
    'a block of a message',
    { ...call, messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] },
    {
      ...call,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'x' },
            { type: 'text', text: 'y' },
          ],
        },
      ],
    },
    '/messages/0/content/1',
  ],
  ['a parameter that is all id', call, { ...call, prompt_cache_key: UUIDS[0] }, 'uuid'],
  ['an id that its key names', call, { ...call, previous_response_id: 'resp_1' }, 'provider-id'],
  ['a parameter that is all time', call, { ...call, metadata: { at: '2026-05-01T10:00:00Z' } }, 'timestamp'],
  [
    'a parameter that is all id beside others',
    { ...call, metadata: { a: '1' } },
    { ...call, metadata: { a: '1', run: UUIDS[0] } },
    'uuid',
  ],
];

/** Requests that say something else in spite of their masks. */
const DIFFERENT: readonly (readonly [what: string, one: Json, other: Json, ...masks: string[]])[] = [
  ['another parameter', call, { ...call, user: 'u1', seed: 1 }, '/user'],
  ['another member of the parent', call, { ...call, metadata: { run: '7', who: 'me' } }, '/metadata/run'],
  ['another tool', { ...call, tools: [tool('a')] }, { ...call, tools: [tool('c'), tool('b')] }, '/tools/1'],
  ['another message', call, { ...call, messages: [system, { role: 'user', content: 'y' }] }, '/messages/0'],
  ['two messages more', call, { ...call, messages: [system, system, user] }, '/messages/0'],
  ['a parameter in which there is more than an id', call, { ...call, user: `u-${UUIDS[0]}-1` }, 'uuid'],
  ['an argument that is all date', toolUse({ since: '2026-05-01' }), toolUse({}), 'date'],
  ['an element that is all id', { ...call, stop: [UUIDS[0]] }, { ...call, stop: UUIDS }, 'uuid'],
];

function toolUse(input: Json): Json {
  return {
    ...call,
    messages: [user, { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input }] }],
  };
}

describe('what a mask covers', () => {
  for (const [what, one, other, ...masks] of EQUAL)
    it(`does not count where only one request has it: ${what}`, () => {
      for (const match of ['exact', 'sequence', 'subset'] as const) {
        assert.equal(matchOf(one, other, { masks, match }).kind, 'masked', `added, ${match}`);
        assert.equal(matchOf(other, one, { masks, match }).kind, 'masked', `removed, ${match}`);
      }
    });

  for (const [what, one, other, ...masks] of DIFFERENT)
    it(`is not ${what}`, () => {
      for (const match of ['exact', 'sequence'] as const) {
        assert.equal(matchOf(one, other, { masks, match }).kind, 'drifted', `added, ${match}`);
        assert.equal(matchOf(other, one, { masks, match }).kind, 'drifted', `removed, ${match}`);
      }
    });

  it('may be the model of the address as well', () => {
    const url = 'https://a.openai.azure.com/openai/deployments/gpt-4o/chat/completions';
    const masks = ['/model'];
    assert.equal(matchOf({ messages: [user] }, call, { url, masks }).kind, 'masked');
  });

  it('leaves the places of the others as they are in the body', () => {
    const missed = matchOf(
      { ...call, messages: [system, user] },
      {
        ...call,
        messages: [
          { ...system, content: 'C' },
          { role: 'user', content: 'y' },
        ],
      },
      { masks: ['/messages/0'] },
    );
    assert.ok('explain' in missed);
    assert.match(formatDrift(missed.explain(), { tape: 't' }), /message 2 \(user\) edited/);
  });
});
