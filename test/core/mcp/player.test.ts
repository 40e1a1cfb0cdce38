import assert from 'node:assert/strict';
import type { Json, JsonRecord } from '../../../src/core/json/json';
import { parseMask } from '../../../src/core/match/masks';
import { McpExchangeRecorder } from '../../../src/core/mcp/exchangeRecorder';
import { formatMcpMiss } from '../../../src/core/mcp/formatMcpMiss';
import { McpPlayer } from '../../../src/core/mcp/player';
import { type McpMiss, McpRecordings, type McpRules } from '../../../src/core/mcp/recordings';

type Passing = readonly [from: 'client' | 'server', message: JsonRecord];

const asking = (id: Json, method: string, params: JsonRecord = {}): JsonRecord => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const telling = (method: string, params: JsonRecord = {}): JsonRecord => ({ jsonrpc: '2.0', method, params });
const replying = (id: Json, result: Json): JsonRecord => ({ jsonrpc: '2.0', id, result });
const calling = (id: Json, name: string, args: JsonRecord, more: JsonRecord = {}): JsonRecord =>
  asking(id, 'tools/call', { name, arguments: args, ...more });

/** What a scribe makes of messages. */
function written(passing: readonly Passing[]) {
  const scribe = new McpExchangeRecorder({ server: 'files', transport: 'stdio', onAnswered: () => undefined });
  for (const [at, [from, message]] of passing.entries()) scribe[from](message, at);
  return scribe.exchanges;
}

/** A player of what was recorded, with all that it sends and every miss. */
function playing(passing: readonly Passing[], rules: Partial<McpRules> = {}) {
  const recorded = written(passing).map((exchange, index) => ({ index, exchange }));
  const recordings = new McpRecordings('files', recorded, { masks: [], hide: (message) => message, ...rules });
  const misses: McpMiss[] = [];
  const explain = (miss: McpMiss) => formatMcpMiss(miss, { tape: 'a.tape.jsonl' });
  const player = new McpPlayer(recordings, {
    taken: (_, taken) => void (taken.kind === 'miss' && misses.push(taken.miss)),
    explain,
  });
  const sent: JsonRecord[] = [];
  const outlet = { send: (message: JsonRecord) => void sent.push(message), end: () => undefined };
  return {
    misses,
    explained: () => misses.map(explain),
    say: (message: JsonRecord) => {
      sent.length = 0;
      player.receive(message, outlet);
      return [...sent];
    },
  };
}

const errorOf = ([message]: readonly JsonRecord[]) => String((message?.error as JsonRecord | undefined)?.message);

describe('MCP messages', () => {
  it('belong to the request that they name, else to the youngest one without a reply', () => {
    const exchanges = written([
      ['client', telling('notifications/initialized')],
      ['server', telling('notifications/tools/list_changed')],
      ['client', calling(1, 'slow', {}, { _meta: { progressToken: 'p' } })],
      ['client', calling(2, 'ask', {})],
      ['server', telling('notifications/progress', { progressToken: 'p', progress: 1 })],
      ['server', asking(0, 'roots/list')],
      ['server', replying(1, 'slow')],
      ['client', replying(0, { roots: [] })],
      ['server', replying(2, 'asked')],
      ['server', telling('notifications/message', { data: 'late' })],
    ]);
    const told = exchanges.map(({ steps }) =>
      steps.map(({ from, message }) => [from, message.method ?? message.result]),
    );
    assert.deepEqual(told, [
      [['server', 'notifications/tools/list_changed']],
      [
        ['server', 'notifications/progress'],
        ['server', 'slow'],
      ],
      [
        ['server', 'roots/list'],
        ['client', { roots: [] }],
        ['server', 'asked'],
        ['server', 'notifications/message'],
      ],
    ]);
  });

  it('are played under the ids and tokens of the client that asks now', () => {
    const { say } = playing([
      ['client', calling(1, 'read', { path: 'a' }, { _meta: { progressToken: 1 } })],
      ['server', telling('notifications/progress', { progressToken: 1, progress: 0.5 })],
      ['server', replying(1, 'A')],
    ]);
    const sent = say(calling('x7', 'read', { path: 'a' }, { _meta: { progressToken: 'now' } }));
    assert.deepEqual(sent, [
      telling('notifications/progress', { progressToken: 'now', progress: 0.5 }),
      replying('x7', 'A'),
    ]);
  });

  it('are played in recorded order among equals, and a call that comes too often is a miss', () => {
    const { say, explained } = playing([
      ['client', calling(1, 'next', {})],
      ['server', replying(1, 'one')],
      ['client', calling(2, 'next', {})],
      ['server', replying(2, 'two')],
    ]);
    assert.deepEqual([say(calling(1, 'next', {})), say(calling(2, 'next', {}))].flat(), [
      replying(1, 'one'),
      replying(2, 'two'),
    ]);
    assert.match(errorOf(say(calling(3, 'next', {}))), /all of its 2 recordings have already been served/);
    assert.equal(explained().length, 1);
  });

  it('that only ask are served as often as a client connects, and its version is no drift', () => {
    const { say, misses } = playing([
      ['client', asking(0, 'initialize', { protocolVersion: 'v', clientInfo: { name: 'c', version: '1' } })],
      ['server', replying(0, 'hello')],
      ['client', asking(1, 'tools/list')],
      ['server', replying(1, { tools: [] })],
    ]);
    for (const version of ['1', '2']) {
      assert.equal(
        say(asking(5, 'initialize', { protocolVersion: 'v', clientInfo: { name: 'c', version } })).length,
        1,
      );
      assert.deepEqual(say(asking(6, 'tools/list')), [replying(6, { tools: [] })]);
    }
    assert.deepEqual(misses, []);
    say(asking(0, 'initialize', { protocolVersion: 'w', clientInfo: { name: 'c', version: '1' } }));
    assert.equal(misses.length, 1);
  });

  it('without a recording are a miss that names the argument and a mask for it', () => {
    const recorded: Passing[] = [
      ['client', calling(1, 'write', { path: 'a.txt', content: 'same' })],
      ['server', replying(1, 'written')],
    ];
    const { say, explained } = playing(recorded);
    const error = errorOf(say(calling(1, 'write', { path: 'b.txt', content: 'same' })));
    assert.match(
      error,
      /^Tapedeck: tools\/call write of MCP server files is not on a\.tape\.jsonl: .*argument path: "a\.txt" → "b\.txt"/,
    );
    assert.match(explained()[0] ?? '', /It would match with --mask \/params\/arguments\/path\./);
    const mask = parseMask('/params/arguments/path');
    const masked = playing(recorded, { masks: mask === undefined ? [] : [mask] });
    assert.deepEqual(masked.say(calling(4, 'write', { path: 'c.txt', content: 'same' })), [replying(4, 'written')]);
    const without = playing(recorded, { masks: mask === undefined ? [] : [mask] });
    assert.deepEqual(without.say(calling(5, 'write', { content: 'same' })), [replying(5, 'written')]);
    const other = playing(recorded).say(calling(1, 'delete', { path: 'a.txt' }));
    assert.match(errorOf(other), /parameter name: "write" → "delete"/);
  });

  it('of the server wait for the answer of the client, which has to be as recorded', () => {
    const recorded: Passing[] = [
      ['client', calling(1, 'ask', {})],
      ['server', asking(9, 'elicitation/create', { message: 'sure?' })],
      ['client', replying(9, { action: 'accept' })],
      ['server', replying(1, 'done')],
    ];
    const { say } = playing(recorded);
    assert.deepEqual(say(calling(1, 'ask', {})), [asking(9, 'elicitation/create', { message: 'sure?' })]);
    const answered = playing(recorded);
    answered.say(calling(1, 'ask', {}));
    assert.deepEqual(answered.say(replying(9, { action: 'accept' })), [replying(1, 'done')]);
    assert.deepEqual(answered.misses, []);
    const other = playing(recorded);
    other.say(calling(1, 'ask', {}));
    other.say(replying(9, { action: 'decline' }));
    assert.match(
      other.explained()[0] ?? '',
      /the client's answer to elicitation\/create .*\/result\/action: "accept" → "decline"/,
    );
  });

  it('that are cancelled get no reply', () => {
    const { say, misses } = playing([
      ['client', calling(1, 'slow', {})],
      ['client', telling('notifications/cancelled', { requestId: 1 })],
    ]);
    assert.deepEqual(say(calling(4, 'slow', {})), []);
    assert.deepEqual(say(telling('notifications/cancelled', { requestId: 4 })), []);
    assert.deepEqual(misses, []);
  });
});
