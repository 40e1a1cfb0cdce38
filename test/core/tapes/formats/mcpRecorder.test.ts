import assert from 'node:assert/strict';
import { mcpRecorderFormat } from '../../../../src/core/tapes/formats/mcpRecorder/index';
import { detectFormat } from '../../../../src/core/tapes/readTape';
import { decodeTapeFile } from '../../../../src/core/tapes/tapeFile';
import { mutate, randomFrom } from '../mutations';
import { readTextAs } from '../readAsFormat';

/** An interaction as mcp-recorder 0.5.0 writes it. */
const item = (type: string, fields: object): object => ({
  type,
  request: null,
  response: null,
  response_is_sse: false,
  response_status: 200,
  latency_ms: 7,
  http_method: null,
  http_path: null,
  ...fields,
});

const rpc = (fields: object): object => ({ jsonrpc: '2.0', ...fields });

const called = (id: number | string, name: string, args: object, fields: object): object =>
  item('jsonrpc_request', {
    request: rpc({ id, method: 'tools/call', params: { name, arguments: args, _meta: { progressToken: id } } }),
    ...fields,
  });

function cassette(interactions: readonly object[], version = '1.0'): string {
  const metadata = {
    recorded_at: '2026-11-22T22:35:58.877222+00:00',
    server_url: 'http://127.0.0.1:8711',
    transport_type: 'http',
    protocol_version: '2025-06-18',
    server_info: { name: 'weather', version: '0.1.0' },
  };
  return `${JSON.stringify({ version, metadata, interactions }, undefined, 2)}\n`;
}

const SESSION = cassette([
  item('jsonrpc_request', { request: rpc({ id: 0, method: 'initialize' }), response: rpc({ id: 0, result: {} }) }),
  item('notification', { request: rpc({ method: 'notifications/initialized' }), response_status: 202 }),
  item('lifecycle', { http_method: 'GET', http_path: '/mcp', response_status: 405 }),
  called(
    1,
    'forecast',
    { city: 'Lisbon' },
    {
      response: rpc({
        id: 1,
        result: {
          content: [
            { type: 'text', text: 'Rain, 9 °C' },
            { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
          ],
        },
      }),
    },
  ),
  called(2, 'forecast', {}, { response: rpc({ id: 2, result: { content: [], isError: true } }) }),
  called('x', 'nowcast', {}, { response: rpc({ id: 'x', error: { code: -32602, message: 'Unknown tool' } }) }),
  called(4, 'forecast', { city: 'Gone' }, { response_status: 404 }),
]);

describe('the mcp-recorder format', () => {
  it('reads tool calls with their results, and names everything else', () => {
    const { name, version, interactions, problems } = readTextAs(SESSION, 'mcp-recorder');
    assert.deepEqual(problems, []);
    assert.deepEqual([name, version], ['weather 0.1.0', '1.0']);
    assert.deepEqual(
      interactions.map(({ kind, summary, request, response }) => [
        kind,
        summary ?? request?.messages[0]?.toolCalls[0]?.name,
        response?.content,
        response?.error,
      ]),
      [
        ['mcp', 'initialize', undefined, undefined],
        ['mcp', 'notifications/initialized', undefined, undefined],
        ['http', 'GET /mcp 405', undefined, undefined],
        ['mcp', 'forecast', 'Rain, 9 °C', undefined],
        ['mcp', 'forecast', null, 'the tool failed'],
        ['mcp', 'nowcast', null, 'Unknown tool (-32602)'],
        ['tool', 'forecast', null, 'HTTP status (404)'],
      ],
    );
    const [, , , forecast] = interactions;
    assert.deepEqual(forecast?.request?.messages[0]?.toolCalls[0]?.arguments, { city: 'Lisbon' });
    assert.deepEqual(
      forecast?.response?.parts?.map(({ type }) => type),
      ['text', 'image'],
    );
    assert.deepEqual(forecast?.timing, { recordedAt: '2026-11-22T22:35:58.877222+00:00', durationMs: 7 });
    assert.equal(SESSION.slice(forecast?.source.start, forecast?.source.end).includes('Lisbon'), true);
  });

  it('is written with the requests, replies and notifications of one server, and read again as it was', () => {
    const { interactions } = readTextAs(SESSION, 'mcp-recorder');
    const written = mcpRecorderFormat.serialise('weather', interactions);
    assert.equal(mcpRecorderFormat.serialise('weather', readTextAs(written, 'mcp-recorder').interactions), written);
    const messages = interactions.flatMap(({ mcp }) => mcp ?? []);
    assert.deepEqual(
      readTextAs(written, 'mcp-recorder').interactions.map(({ mcp }) => [
        mcp?.message,
        mcp?.steps.map(({ message }) => message),
      ]),
      messages.map(({ message, steps }) => [message, steps.map((step) => step.message)]),
    );
  });

  it('reports a notification that was recorded in place of the reply', () => {
    const response = rpc({ method: 'notifications/progress', params: { progress: 1 } });
    const text = cassette([called(1, 'forecast', {}, { response, response_is_sse: true })]);
    const { interactions, problems } = readTextAs(text, 'mcp-recorder');
    assert.equal(interactions[0]?.response, undefined);
    assert.deepEqual(
      problems.map(({ severity, message }) => [severity, /not the reply/.test(message)]),
      [['warning', true]],
    );
  });

  it('reads a notification whose method is no text', () => {
    const { interactions } = readTextAs(
      cassette([item('notification', { request: { method: { toString: 1 } } })]),
      'mcp-recorder',
    );
    assert.equal(interactions[0]?.summary, 'notification');
  });

  it('reports another version, unknown types and missing requests, and reads the rest', () => {
    const text = cassette([item('batch', {}), item('jsonrpc_request', {}), called(1, 'forecast', {}, {})], '2.0');
    const { interactions, problems } = readTextAs(text, 'mcp-recorder');
    assert.equal(interactions[2]?.kind, 'mcp');
    assert.deepEqual(
      problems.map(({ message }) => message),
      [
        'version 2.0 of the cassette format is not supported',
        'unknown type of interaction: batch',
        '`request` must be an object',
      ],
    );
  });

  it('reads what is left of damaged cassettes', () => {
    const random = randomFrom(7);
    const bytes = new TextEncoder().encode(SESSION);
    for (let turn = 0; turn < 2000; turn += 1) {
      const file = decodeTapeFile('cassettes/a.json', mutate(bytes, random));
      const { interactions = [], problems = [] } = detectFormat(file)?.read(file) ?? {};
      assert.ok(interactions.every(({ kind, source }) => kind !== undefined && source.end <= file.text.length));
      assert.ok(problems.every(({ message, fix }) => message !== '' && fix !== ''));
    }
  });
});
