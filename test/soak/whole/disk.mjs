// An MCP server over stdio that writes files. Leaves a mark in started.txt when it is started.
import { appendFileSync, writeFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

appendFileSync('started.txt', 'x');
const server = new McpServer({ name: 'disk', version: '1' });
const inputSchema = { path: z.string(), text: z.string() };
server.registerTool('write', { description: 'Writes a file.', inputSchema }, ({ path, text }) => {
  writeFileSync(path, text);
  return { content: [{ type: 'text', text: `wrote ${path} at ${Date.now()}` }] };
});
await server.connect(new StdioServerTransport());
