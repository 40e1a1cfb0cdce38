import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { z } from 'zod';
import { projectFolder } from '../../corpus';
import { buildEngine, inProject } from '../../harness/builtEngine';
import { serveTls } from '../../harness/tlsServer';

const AGENT = join(projectFolder, 'test/harness/mcp/sseAgent.mjs');
const TAPE = 'tapes/agent.tape.jsonl';

/** An MCP server of the older transport, whose responses differ from call to call. */
class OldServer {
  calls = 0;
  readonly #sessions = new Map<string, SSEServerTransport>();

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://tools.example');
    if (pathname === '/sse') return this.#open(response);
    const session = this.#sessions.get(searchParams.get('sessionId') ?? '');
    await session?.handlePostMessage(request, response);
  }

  async #open(response: ServerResponse): Promise<void> {
    const transport = new SSEServerTransport('/messages', response);
    this.#sessions.set(transport.sessionId, transport);
    const server = new McpServer({ name: 'shout', version: '1' });
    server.registerTool('shout', { description: 'Says it louder.', inputSchema: { text: z.string() } }, ({ text }) => {
      this.calls += 1;
      return { content: [{ type: 'text', text: `${text.toUpperCase()} (call ${this.calls})` }] };
    });
    await server.connect(transport);
  }
}

describe('an MCP server of the older transport, at an address in the code of its agent', () => {
  before(buildEngine);

  it('is recorded and replayed with the server gone, and another stream of events stays one', async () => {
    await inProject({ 'tapedeck.toml': '' }, async (project) => {
      const old = new OldServer();
      const tools = await serveTls(
        project.path('tools.pem'),
        (request, response) => void old.handle(request, response),
      );
      const news = await serveTls(project.path('news.pem'), (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end('data: one\n\nevent: last\ndata: two\n\n');
      });
      await project.write('authorities.pem', `${await project.read('tools.pem')}\n${await project.read('news.pem')}`);
      const env = { NODE_EXTRA_CA_CERTS: project.path('authorities.pem') };
      const upstreams = ['--upstream', `tools.example=${tools.url}`, '--upstream', `news.example=${news.url}`];
      const recorded = await project.engine(
        ['exec', '--record', '--tape', TAPE, ...upstreams, '--', 'node', AGENT],
        env,
      );
      await Promise.all([tools.close(), news.close()]);
      assert.equal(recorded.code, 0, recorded.stderr);
      assert.match(recorded.stdout, /^QUIET \(call 1\)\nPLEASE \(call 2\)\ndata: one\n\nevent: last\ndata: two\n/);
      const kinds = (await project.read(TAPE)).match(/"mcp"|"method":"GET"/g);
      assert.deepEqual(kinds, [...Array(4).fill('"mcp"'), '"method":"GET"']);

      const replayed = await project.engine(['exec', '--tape', TAPE, '--', 'node', AGENT], env);
      assert.deepEqual([replayed.code, replayed.stdout], [0, recorded.stdout], replayed.stderr);
      assert.equal(old.calls, 2);
    });
  });
});
