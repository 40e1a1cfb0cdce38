import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../../src/engine/errors/userError';
import { rewriteClientConfig } from '../../../src/engine/mcpTape/clientConfig';
import { configuredIn } from '../../../src/engine/mcpTape/mcpTransports';
import { inFolder } from '../../harness/support';

const CONTEXT = { path: '.mcp.json', environment: { HOST: 'mcp.example' }, root: '/project', self: ['node', 'cli.js'] };

/** As clients write it. */
const variable = (name: string) => `\${${name}}`;

const rewrite = (server: unknown) => {
  const { servers, write } = rewriteClientConfig(JSON.stringify({ mcpServers: { s: server } }), CONTEXT);
  const [bridged] = servers.values();
  return { bridged, written: JSON.parse(write('http://127.0.0.1:1/')).mcpServers.s };
};

/** The same server, as a case names it. */
async function configured(server: unknown) {
  let found: unknown;
  await inFolder(async (root) => {
    await writeFile(join(root, '.mcp.json'), JSON.stringify({ mcpServers: { s: server } }));
    found = await configuredIn('.mcp.json', 's', join(root, 'a.toml'));
  });
  return found;
}

describe('a server of an MCP client’s configuration', () => {
  it('is one with a command, and keeps what else its client reads', async () => {
    const server = { command: 'srv', args: ['--a', variable('env:HOST')], env: { A: 'x', B: null, C: 3 }, cwd: '/tmp' };
    const { bridged, written } = rewrite(server);
    assert.deepEqual(bridged, { name: 's', transport: 'stdio' });
    assert.deepEqual(written.args.slice(1), ['mcp-tape', '--server', 's', '--', 'srv', '--a', variable('env:HOST')]);
    assert.deepEqual([written.cwd, written.env.B, written.env.C], ['/tmp', null, 3]);
    assert.deepEqual(await configured(server), {
      kind: 'stdio',
      command: ['srv', '--a', variable('HOST')],
      environment: { A: 'x' },
    });
    const bare = { kind: 'stdio', command: ['srv'], environment: {} };
    assert.deepEqual(await configured({ command: 'srv', args: null, env: null }), bare);
  });

  it('is one with an address, under the name that its client gives it', async () => {
    for (const name of ['url', 'serverUrl', 'httpUrl']) {
      const server = {
        [name]: `https://${variable('HOST')}/mcp`,
        headers: { Authorization: `Bearer ${variable('KEY')}`, Odd: 1 },
      };
      const { bridged, written } = rewrite(server);
      assert.equal(bridged?.url?.href, 'https://mcp.example/mcp');
      assert.deepEqual(written, { ...server, [name]: 'http://127.0.0.1:1/1-s' });
      const headers = { Authorization: `Bearer ${variable('KEY')}` };
      assert.deepEqual(await configured(server), { kind: 'http', address: `https://${variable('HOST')}/mcp`, headers });
    }
  });

  it('is none of another type, or with neither', async () => {
    const others = [
      null,
      'srv',
      [],
      {},
      { command: ['srv'] },
      { command: 'srv', args: '--a' },
      { command: 'srv', env: [] },
    ];
    for (const server of [...others, { url: 5 }, { url: { href: 'https://a' } }, { args: ['srv'] }]) {
      const what = JSON.stringify(server);
      assert.throws(() => rewrite(server), UserError, what);
      await assert.rejects(configured(server), UserError, what);
    }
  });
});
