import assert from 'node:assert/strict';
import { clientEnvironments } from '../../../src/core/secrets/clientEnvironments';
import { environmentSecrets } from '../../../src/core/secrets/environmentSecrets';

const KEY = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9v';
/** As clients write it. */
const reference = (name: string): string => `\${${name}}`;
const secretsIn = (servers: object, member = 'mcpServers'): string[] =>
  clientEnvironments(JSON.stringify({ [member]: servers })).flatMap(environmentSecrets);

describe("the secrets of an MCP client's configuration", () => {
  it('are values of its variables, headers, addresses and options', () => {
    assert.deepEqual(secretsIn({ s: { command: 'srv', env: { SERVICE_API_KEY: KEY, PORT: '8080', N: 3, E: null } } }), [
      KEY,
    ]);
    assert.deepEqual(secretsIn({ s: { command: 'srv', env: { ODD: KEY } } }, 'servers'), [KEY]);
    assert.deepEqual(secretsIn({ s: { url: 'https://mcp.example', headers: { Authorization: `Bearer ${KEY}` } } }), [
      KEY,
    ]);
    assert.deepEqual(secretsIn({ s: { url: 'https://mcp.example', headers: { 'X-Api-Key': KEY } } }), [KEY]);
    assert.deepEqual(secretsIn({ s: { serverUrl: `https://mcp.example/sse?api_key=${KEY}` } }), [KEY]);
    assert.deepEqual(secretsIn({ s: { url: `https://mcp.example/s/${KEY}/mcp` } }), [KEY]);
    for (const args of [
      ['--api-key', KEY],
      [`--api-key=${KEY}`],
      ['run', '-e', `SERVICE_TOKEN=${KEY}`],
      ['-y', 'mcp-remote', 'https://mcp.example', '--header', `Authorization: Bearer ${KEY}`],
      [`postgres://ada:${KEY}@db.example/shop`],
    ])
      assert.deepEqual(secretsIn({ s: { command: 'srv', args } }), [KEY], args.join(' '));
    assert.deepEqual(secretsIn({ a: { command: 'x', env: { KEY } }, b: { command: 'y', env: { KEY: `${KEY}2` } } }), [
      KEY,
      `${KEY}2`,
    ]);
  });

  it('are none of what only refers to one, or is no secret', () => {
    assert.deepEqual(
      secretsIn({
        a: { command: 'npx', args: ['-y', '@example/server-2026', '--port=8080', '--root', '/srv/data'] },
        b: {
          url: 'https://mcp.example/mcp',
          headers: { Authorization: `Bearer ${reference('env:SERVICE_TOKEN_2')}`, Accept: '*/*' },
        },
        c: {
          command: 'srv',
          env: { API_KEY: reference('input:service-key-2'), LOG_LEVEL: 'debug', NODE_ENV: 'production' },
        },
        d: 'no server',
      }),
      [],
    );
    for (const text of ['', '{', '[]', '{"mcpServers": 1}', '{"other": {}}'])
      assert.deepEqual(clientEnvironments(text), []);
  });
});
