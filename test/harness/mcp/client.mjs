// An agent without a model: talks to the MCP servers of a configuration with the SDK's own client, and writes every message
// that passes to a log. node client.mjs CONFIG LOG SDK_FOLDER   (SDK_FOLDER has node_modules/@modelcontextprotocol/sdk)
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [config, log, sdk] = process.argv.slice(2);
const load = (name) =>
  import(pathToFileURL(createRequire(join(sdk, 'x.js')).resolve(`@modelcontextprotocol/sdk/${name}`)));
const { Client } = await load('client/index.js');
const { StdioClientTransport } = await load('client/stdio.js');
const { StreamableHTTPClientTransport } = await load('client/streamableHttp.js');
const { SSEClientTransport } = await load('client/sse.js');
const types = await load('types.js');

const scripts = {
  everything: async (client, told) => {
    await client.ping();
    await client.setLoggingLevel('debug');
    const { tools } = await client.listTools();
    const call = (name, args = {}, options) => client.callTool({ name, arguments: args }, undefined, options);
    await call('echo', { message: 'Grüße 👋 "quoted"\n' });
    await call('get-sum', { a: 1.5, b: 1e21 });
    await call('get-tiny-image');
    await call('get-annotated-message', { messageType: 'error', includeImage: true });
    await call('get-structured-content', { location: 'Chicago' });
    await call('get-resource-links', { count: 2 });
    await call('trigger-long-running-operation', { duration: 0.4, steps: 4 }, { onprogress: () => undefined });
    await call('trigger-sampling-request', { prompt: 'Say hi', maxTokens: 20 });
    await call('trigger-elicitation-request');
    if (tools.some(({ name }) => name === 'get-roots-list')) await call('get-roots-list');
    told.push([
      'failed',
      await call('get-sum', { a: 'one' }).then(
        ({ isError }) => isError,
        ({ message }) => message,
      ),
    ]);
    told.push([
      'unknown',
      await call('no-such-tool').then(
        (result) => result,
        ({ message }) => message,
      ),
    ]);
    await Promise.all([
      call('echo', { message: 'first' }),
      call('echo', { message: 'second' }),
      call('echo', { message: 'first' }),
    ]);
    const cancelled = new AbortController();
    setTimeout(() => cancelled.abort('enough'), 150);
    told.push([
      'cancelled',
      await call('trigger-long-running-operation', { duration: 2, steps: 2 }, { signal: cancelled.signal }).then(
        String,
        String,
      ),
    ]);
    const { resources } = await client.listResources();
    await client.listResourceTemplates();
    await client.readResource({ uri: resources[0].uri });
    await client.subscribeResource({ uri: resources[0].uri });
    await client.unsubscribeResource({ uri: resources[0].uri });
    const { prompts } = await client.listPrompts();
    await client.getPrompt({ name: prompts[0].name });
    const completable = prompts.find(({ arguments: args = [] }) => args.length > 1) ?? prompts[0];
    await client.complete({
      ref: { type: 'ref/prompt', name: completable.name },
      argument: { name: completable.arguments?.[0]?.name ?? 'x', value: 'E' },
    });
  },
  filesystem: async (client) => {
    const folder = process.env.MCP_FOLDER;
    await client.listTools();
    const call = (name, args) => client.callTool({ name, arguments: args });
    await call('write_file', { path: join(folder, 'note.txt'), content: 'written by the agent\n' });
    await call('read_text_file', { path: join(folder, 'note.txt') });
    await call('list_directory', { path: folder });
    await call('read_text_file', { path: '/etc/passwd' });
    await call('edit_file', { path: join(folder, 'note.txt'), edits: [{ oldText: 'agent', newText: 'test' }] });
  },
  memory: async (client) => {
    await client.listTools();
    const call = (name, args) => client.callTool({ name, arguments: args });
    await call('create_entities', {
      entities: [{ name: 'Ada', entityType: 'person', observations: ['wrote a program'] }],
    });
    await call('search_nodes', { query: 'Ada' });
    await call('read_graph', {});
    await call('delete_entities', { entityNames: ['Ada'] });
  },
};

const { mcpServers } = JSON.parse(readFileSync(config, 'utf8'));
writeFileSync(log, '');
for (const [name, entry] of Object.entries(mcpServers)) {
  const told = [];
  const client = new Client(
    { name: 'tapedeck-test', version: process.env.CLIENT_VERSION ?? '1.0.0' },
    { capabilities: { sampling: {}, elicitation: { form: {} }, roots: { listChanged: true } } },
  );
  client.setRequestHandler(types.CreateMessageRequestSchema, ({ params }) => ({
    model: 'test',
    role: 'assistant',
    content: { type: 'text', text: `${params.messages.length} heard` },
  }));
  client.setRequestHandler(types.ElicitRequestSchema, ({ params }) => ({
    action: 'accept',
    content: Object.fromEntries(
      Object.entries(params.requestedSchema?.properties ?? {}).map(([key, schema]) => [key, exampleOf(schema)]),
    ),
  }));
  client.setRequestHandler(types.ListRootsRequestSchema, () => ({
    roots: [{ uri: 'file:///somewhere/project', name: 'project' }],
  }));
  const transport = transportOf(entry);
  tapped(transport, name);
  await client.connect(transport);
  // What a server asks right after the handshake is to be answered before the next request.
  await new Promise((resolve) => setTimeout(resolve, 600));
  try {
    await scripts[name.split('-')[0]](client, told);
  } catch (error) {
    console.error(`${name}: ${error.stack}`);
    process.exitCode = 1;
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  appendFileSync(log, `${name} told ${JSON.stringify(told)}\n`);
  await client.close();
}

function exampleOf(schema) {
  if (schema.enum) return schema.enum[0];
  if (schema.oneOf) return schema.oneOf[0].const;
  if (schema.default !== undefined) return schema.default;
  if (schema.type === 'boolean') return true;
  if (schema.type === 'number' || schema.type === 'integer') return schema.minimum ?? 7;
  if (schema.type === 'array') return [schema.items?.enum?.[0] ?? schema.items?.anyOf?.[0]?.const ?? 'a'];
  if (schema.format === 'email') return 'a@b.example';
  if (schema.format === 'date') return '2026-01-02';
  if (schema.format === 'date-time') return '2026-01-02T03:04:05Z';
  if (schema.format === 'uri') return 'https://b.example/';
  return 'text';
}

function transportOf({ command, args, env, url, type }) {
  if (command !== undefined)
    return new StdioClientTransport({ command, args, env: { PATH: process.env.PATH, ...env }, stderr: 'inherit' });
  return type === 'sse' ? new SSEClientTransport(new URL(url)) : new StreamableHTTPClientTransport(new URL(url));
}

/** Logs what passes, both ways. */
function tapped(transport, name) {
  const write = (from, message) => appendFileSync(log, `${name} ${from} ${JSON.stringify(message)}\n`);
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    write('client', message);
    return send(message, options);
  };
  let heard;
  Object.defineProperty(transport, 'onmessage', {
    get: () => heard,
    set: (listener) => {
      heard =
        listener &&
        ((message, extra) => {
          write('server', message);
          listener(message, extra);
        });
    },
  });
}
