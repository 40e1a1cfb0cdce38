import assert from 'node:assert/strict';
import type { Json, JsonRecord } from '../../../src/core/json/json';
import type { RecordedInteraction } from '../../../src/core/model/interaction';
import type { McpStep } from '../../../src/core/model/mcp';
import { tapedeckFormat } from '../../../src/core/tapes/formats/tapedeck/index';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import type { InteractionSummary } from '../../../src/core/transcript/summary';
import { readTranscript } from '../../../src/core/transcript/transcriptReader';

const rpc = (fields: JsonRecord): JsonRecord => ({ jsonrpc: '2.0', ...fields });

function exchange(method: string, params: JsonRecord, ...said: JsonRecord[]): RecordedInteraction {
  const steps = said.map((message): McpStep => ({ from: 'server', message: rpc(message), afterMs: 1 }));
  return { kind: 'mcp', mcp: { server: 'files', transport: 'stdio', message: rpc({ id: 1, method, params }), steps } };
}

const called = (name: string, args: Json, text: string): RecordedInteraction =>
  exchange('tools/call', { name, arguments: args }, { id: 1, result: { content: [{ type: 'text', text }] } });

const model = (name: string, args: Json): RecordedInteraction => ({
  request: { messages: [{ role: 'user', content: 'go', toolCalls: [] }], tools: [], params: {} },
  response: { content: null, toolCalls: [{ id: 'c1', name, arguments: args }] },
});

/** The transcript of a tape with these interactions. */
function transcript(...interactions: readonly RecordedInteraction[]) {
  const text = tapedeckFormat.serialise('t', interactions);
  const file = tapeFileFromText(text, 't.tape.jsonl');
  assert.equal(tapedeckFormat.serialise('t', tapedeckFormat.read(file).interactions), text);
  const read = readTranscript(file);
  assert.ok(read !== undefined);
  return read;
}

const asides = (interactions: readonly InteractionSummary[]) =>
  interactions.flatMap(({ entries }) => entries.map(({ aside }) => aside?.text));

describe('MCP in a transcript', () => {
  it('is the message, a tool with its result, and all that was said as details', () => {
    const { bodies, interactions } = transcript(
      exchange('tools/list', {}, { id: 1, result: { tools: [] } }),
      exchange(
        'tools/call',
        { name: 'read', arguments: { path: 'a' } },
        { method: 'notifications/progress', params: {} },
        { id: 1, error: { code: -1, message: 'gone' } },
      ),
    );
    assert.deepEqual(
      bodies.map(({ entries }) => entries.map(({ role, text }) => [role, text])),
      [[['mcp', '`files` tools/list']], [['mcp', '`files` tools/call read: gone (-1)']]],
    );
    const [call] = bodies[1]?.entries[0]?.toolCalls ?? [];
    assert.deepEqual([call?.name, call?.result, call?.isError], ['read', 'gone (-1)', true]);
    assert.deepEqual(
      bodies[1]?.details.map(({ label }) => label),
      ['Message', 'Server: notifications/progress', 'Server: error'],
    );
    assert.deepEqual(
      interactions.map(({ failed }) => failed),
      [false, true],
    );
    assert.deepEqual(asides(interactions), ['tools/list', undefined]);
  });

  it("is one thing with the model's call that it carries out, under any prefix of the client", () => {
    for (const name of ['read', 'mcp__files__read', 'files_read']) {
      const { bodies, interactions } = transcript(
        model(name, { path: 'a', n: 1 }),
        called('read', { n: 1, path: 'a' }, 'the text'),
      );
      const call = bodies[0]?.entries.at(-1)?.toolCalls[0];
      assert.deepEqual([call?.result, call?.server, call?.serverInteraction], ['the text', 'files', 1], name);
      assert.deepEqual(
        bodies[1]?.entries.map(({ text, toolCalls }) => [text, toolCalls]),
        [['`files` tools/call read, called in interaction 1', []]],
      );
      assert.deepEqual(asides(interactions), [undefined, undefined, 'tools/call read, called in #1']);
    }
    const { bodies } = transcript(model('read', { path: 'a' }), called('read', { path: 'b' }, 'another'));
    assert.equal(bodies[0]?.entries.at(-1)?.toolCalls[0]?.server, undefined);
    assert.equal(bodies[1]?.entries[0]?.toolCalls[0]?.result, 'another');
  });
});

describe('a tool in a transcript', () => {
  const tool = (name: string, args: Json, text: string): RecordedInteraction => ({
    kind: 'tool',
    request: {
      messages: [{ role: 'assistant', content: null, toolCalls: [{ id: 'c1', name, arguments: args }] }],
      tools: [],
      params: {},
    },
    response: { content: text, toolCalls: [] },
  });
  const resultIn = ({ bodies }: ReturnType<typeof transcript>, interaction: number) =>
    bodies[interaction]?.entries.find(({ toolCalls }) => toolCalls.length > 0)?.toolCalls[0]?.result;

  it("has the result of the model's call, which no later request brings", () => {
    const read = transcript(model('read', { path: 'a' }), tool('read', { path: 'a' }, 'the text'));
    assert.deepEqual([resultIn(read, 0), resultIn(read, 1)], ['the text', 'the text']);
    const other = transcript(model('read', { path: 'a' }), tool('read', { path: 'b' }, 'another'));
    assert.deepEqual([resultIn(other, 0), resultIn(other, 1)], [undefined, 'another']);
  });

  it("does not take the result that a later request brings for the model's call", () => {
    const asked = model('read', { path: 'a' });
    const messages = [
      ...(asked.request?.messages ?? []),
      { role: 'assistant', content: null, toolCalls: asked.response?.toolCalls ?? [] },
      { role: 'tool', content: 'as the model got it', toolCalls: [], toolCallId: 'c1' },
    ];
    const read = transcript(asked, tool('read', { path: 'a' }, 'as the tool gave it'), {
      request: { messages, tools: [], params: {} },
      response: { content: 'Done.', toolCalls: [] },
    });
    assert.deepEqual([resultIn(read, 0), resultIn(read, 1)], ['as the model got it', 'as the tool gave it']);
  });
});
