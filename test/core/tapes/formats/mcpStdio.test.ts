import assert from 'node:assert/strict';
import { readTextAs } from '../readAsFormat';

describe('the MCP stdio format', () => {
  const rpc = (stream: string, message: object): string =>
    `${stream}: ${JSON.stringify({ jsonrpc: '2.0', ...message })}`;
  const asked = (id: number, name: string, args: object): string =>
    rpc('STDIN', { id, method: 'tools/call', params: { name, arguments: args } });

  it('joins requests with their results by id, whoever asked', () => {
    const text = [
      'STDERR: starting',
      rpc('STDIN', { id: 0, method: 'initialize', params: {} }),
      rpc('STDOUT', { id: 0, result: {} }),
      rpc('STDIN', { method: 'notifications/initialized' }),
      asked(1, 'a', { x: 1 }),
      asked(2, 'b', {}),
      rpc('STDOUT', { id: 1, method: 'sampling/createMessage', params: {} }),
      rpc('STDOUT', { id: 2, result: { content: [{ type: 'text', text: 'second' }], isError: true } }),
      rpc('STDIN', { id: 1, result: {} }),
      rpc('STDOUT', {
        id: 1,
        result: {
          content: [
            { type: 'text', text: 'first' },
            { type: 'image', data: 'AAAA', mimeType: 'image/png' },
          ],
        },
      }),
    ].join('\n');
    const { interactions, problems } = readTextAs(text, 'mcp-stdio');
    assert.deepEqual(problems, []);
    assert.deepEqual(
      interactions.map(({ kind, summary, request, response }) => [
        kind,
        summary ?? request?.messages[0]?.toolCalls[0]?.name,
        response?.content,
        response?.error,
      ]),
      [
        ['http', 'initialize', undefined, undefined],
        ['tool', 'a', 'first', undefined],
        ['tool', 'b', 'second', 'second'],
        ['http', 'sampling/createMessage', undefined, undefined],
      ],
    );
    assert.deepEqual(
      interactions[1]?.response?.parts?.map(({ type }) => type),
      ['text', 'image'],
    );
  });

  it('names replies to nothing and broken lines', () => {
    const text = [asked(1, 'a', {}), rpc('STDOUT', { id: 9, result: {} }), 'STDOUT: {"jsonrpc": "2.0", "id"'].join(
      '\n',
    );
    const { problems } = readTextAs(text, 'mcp-stdio');
    assert.deepEqual(
      problems.map(({ severity, span }) => [severity, text.slice(0, span.start).split('\n').length]),
      [
        ['warning', 2],
        ['error', 3],
      ],
    );
  });
});
