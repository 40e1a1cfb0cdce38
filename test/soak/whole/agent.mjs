// An agent with a model, a web API, and two MCP servers: one of its configuration, and one whose address is in its code.
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const json = { 'content-type': 'application/json' };

async function call(address, options) {
  const response = await fetch(address, options);
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

async function connect(transport) {
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(transport);
  return client;
}

async function use(client, name, args) {
  const { content } = await client.callTool({ name, arguments: args });
  return content[0].text;
}

const { disk } = JSON.parse(readFileSync(process.env.TAPEDECK_MCP_CONFIG, 'utf8')).mcpServers;
const files = await connect(new StdioClientTransport({ ...disk, env: { PATH: process.env.PATH, ...disk.env } }));
const shouter = await connect(new StreamableHTTPClientTransport(new URL('https://tools.example/mcp')));
const { sky } = await call('https://weather.example/today');
const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: `The sky is ${sky}. Write a note.` }] });
const { choices } = await call(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
  method: 'POST',
  headers: json,
  body,
});
const note = choices[0].message.content;
console.log(await use(files, 'write', { path: readFileSync('path.txt', 'utf8'), text: note }));
console.log(await use(shouter, 'shout', { text: note }));
await shouter.close();
await files.close();
