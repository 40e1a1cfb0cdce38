// What the agent of wholeRun.mjs talks to over HTTP: a model, a web API, and an MCP server. Prints its port.
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const sessions = new Map();

async function speakMcp(request, response) {
  const known = sessions.get(request.headers['mcp-session-id']);
  if (known !== undefined) return known.handleRequest(request, response);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => `session-${sessions.size + 1}-${Date.now()}`,
    onsessioninitialized: (id) => sessions.set(id, transport),
  });
  const server = new McpServer({ name: 'shout', version: '1' });
  server.registerTool('shout', { description: 'Says it louder.', inputSchema: { text: z.string() } }, ({ text }) => ({
    content: [{ type: 'text', text: `${text.toUpperCase()} (at ${Date.now()})` }],
  }));
  await server.connect(transport);
  return transport.handleRequest(request, response);
}

function answer(response, value) {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

const server = createServer((request, response) => {
  if (request.url?.startsWith('/mcp')) return void speakMcp(request, response);
  request.resume();
  if (request.url?.startsWith('/today')) return answer(response, { sky: 'clear', measured: Date.now() });
  const message = { role: 'assistant', content: `a note of ${Date.now()}` };
  return answer(response, { id: 'c', object: 'chat.completion', model: 'm', choices: [{ index: 0, message }] });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
