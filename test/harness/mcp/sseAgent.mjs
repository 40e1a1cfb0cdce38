// An agent with an MCP server of the older transport, and another stream of events, both at addresses in its code.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';

const client = new Client({ name: 'agent', version: '1' });
await client.connect(new SSEClientTransport(new URL('https://tools.example/sse')));
for (const text of ['quiet', 'please']) {
  const { content } = await client.callTool({ name: 'shout', arguments: { text } });
  console.log(content[0].text);
}
await client.close();
const news = await fetch('https://news.example/sse', { headers: { accept: 'text/event-stream' } });
console.log(await news.text());
