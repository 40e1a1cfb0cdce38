import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { WebSocket as UndiciSocket } from 'undici';
import { WebSocket, WebSocketServer } from 'ws';
import type { OpenProxy, ProxyOptions } from '../../../src/engine/proxy/openProxy';
import { saveRecording } from '../../../src/engine/recording/saveRecording';
import { KEYS, proxyIn } from '../../harness/proxyTakes';
import { inFolder, RECORDER } from '../../harness/support';

type Event = Record<string, unknown>;

/** A realtime server in small: it answers each `response.create` with the words of the last item. */
async function withRealtime(use: (address: string, handshakes: () => number) => Promise<void>): Promise<void> {
  let handshakes = 0;
  let turns = 0;
  const http = createServer((_, response) => response.writeHead(404).end('no such path'));
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: 1e8,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false),
  });
  http.on('upgrade', (request, socket, head) => {
    if (request.url?.includes('model=none')) {
      socket.end(
        'HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json\r\ncontent-length: 14\r\n\r\n{"error":"no"}',
      );
      return;
    }
    handshakes += 1;
    server.handleUpgrade(request, socket, head, (client) => {
      const say = (event: Event) => client.send(JSON.stringify(event), { binary: false });
      say({ type: 'session.created', session: { id: `sess_${handshakes}`, model: 'gpt-realtime' } });
      let last: Event = {};
      client.on('message', (data, isBinary) => {
        if (isBinary) return client.send(data, { binary: true });
        const event = JSON.parse(data.toString()) as Event;
        if (event.type === 'break') return client.terminate();
        if (event.type === 'session.update') return say({ type: 'session.updated', session: event.session });
        if (event.type === 'conversation.item.create') {
          last = event.item as Event;
          return say({ type: 'conversation.item.created', item: last });
        }
        if (event.type !== 'response.create') return undefined;
        turns += 1;
        const [said] = last.content as { text: string }[];
        const content = [{ type: 'text', text: `You said ${said?.text}.` }];
        const item = { type: 'message', role: 'assistant', content };
        say({ type: 'response.created', response: { id: `resp_${turns}` } });
        say({ type: 'response.output_item.done', item });
        const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
        return say({
          type: 'response.done',
          response: { id: `resp_${turns}`, status: 'completed', output: [item], usage },
        });
      });
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  try {
    await use(`http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`, () => handshakes);
  } finally {
    http.closeAllConnections();
    http.close();
  }
}

const OPTIONS = {
  maxPayload: 1e8,
  perMessageDeflate: false,
  handshakeTimeout: 5000,
  followRedirects: false,
  headers: { authorization: `Bearer ${KEYS.OPENAI_API_KEY}` },
} as const;

/** A client that sends events, and reads as many as it waits for. */
class Client {
  readonly events: Event[] = [];
  readonly closed: Promise<string>;
  readonly #socket: WebSocket;
  #wake = (): void => undefined;

  constructor(url: string, protocols: string[] = []) {
    this.#socket = new WebSocket(new URL(url.replace(/^http/, 'ws')), protocols, OPTIONS);
    this.#socket.on('message', (data, isBinary) => {
      this.events.push(isBinary ? { binary: data.toString('hex') } : (JSON.parse(data.toString()) as Event));
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      this.#socket.on('error', (error) => resolve(error.message));
      this.#socket.on('close', (code, reason) => {
        resolve(`${code} ${reason.toString()}`.trim());
        this.#wake();
      });
    });
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  send(...events: (Event | Buffer)[]): void {
    for (const event of events) {
      if (Buffer.isBuffer(event)) this.#socket.send(event, { binary: true });
      else this.#socket.send(JSON.stringify(event), { binary: false });
    }
  }

  async until(type: string, count = 1): Promise<void> {
    const isThere = () => this.events.filter((event) => event.type === type || type in event).length >= count;
    while (!isThere() && this.#socket.readyState < 2)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }

  async close(): Promise<string> {
    this.#socket.close(1000, 'done');
    return this.closed;
  }
}

const item = (text: string, id?: string): Event => ({
  type: 'conversation.item.create',
  item: { ...(id && { id }), type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
});

/** Two turns. `id`: of the first item. */
async function talk(url: string, words: readonly string[], id = 'item_1', instructions = 'Be brief.'): Promise<Client> {
  const client = new Client(url);
  await client.until('session.created');
  client.send({ type: 'session.update', session: { instructions } });
  await client.until('session.updated');
  for (const [index, text] of words.entries()) {
    client.send(item(text, index === 0 ? id : undefined), {
      type: 'response.create',
      event_id: `event_${Math.random()}`,
    });
    await client.until('response.done', index + 1);
  }
  return client;
}

const REALTIME = 'openai/realtime?model=gpt-realtime';

interface Stage {
  readonly root: string;
  readonly address: string;
  readonly tapePath: string;
  open(mode: 'record' | 'replay' | 'passthrough' | 'auto', more?: Partial<ProxyOptions>): Promise<OpenProxy>;
  save(proxy: OpenProxy): Promise<void>;
  handshakes(): number;
}

async function onStage(use: (stage: Stage) => Promise<void>): Promise<void> {
  const opened: OpenProxy[] = [];
  await withRealtime((address, handshakes) =>
    inFolder(async (root) => {
      const tapePath = join(root, 'talk.tape.jsonl');
      const open: Stage['open'] = async (mode, more) => {
        const proxy = await proxyIn(root, {
          tapePath,
          mode,
          upstreams: { commandLine: { openai: address } },
          onFault: (fault) => assert.fail(fault),
          ...more,
        });
        opened.push(proxy);
        return proxy;
      };
      const save = async (proxy: OpenProxy) => {
        await proxy.drain();
        const { recorded } = proxy;
        await saveRecording({ root, path: tapePath, format: undefined, recorded, recorder: RECORDER, append: false });
      };
      try {
        await use({ root, address, tapePath, open, save, handshakes });
      } finally {
        for (const proxy of opened) await proxy.close();
      }
    }),
  );
}

describe('WebSockets through the proxy', () => {
  it('are recorded message by message, without keys, and replayed with the server gone', async () => {
    await onStage(async ({ open, save, tapePath, handshakes }) => {
      const live = await open('record');
      const recorded = await talk(`${live.base}/${REALTIME}`, ['hello', 'again']);
      recorded.send(Buffer.from([1, 2, 255]));
      await recorded.until('binary');
      assert.equal(await recorded.close(), '1000 done');
      await save(live);
      assert.equal(live.tally.text(), '1 recorded');
      const text = await readFile(tapePath, 'utf8');
      assert.doesNotMatch(text, /sk-proj/);
      assert.match(text, /"url":"ws:\/\/[^"]*\/v1\/realtime\?model=gpt-realtime"/);
      assert.match(text, /^\{"after":\d+,"client":\{"type":"session.update"/m);
      assert.match(text, /^\{"after":\d+,"of":"client","base64":"AQL\/"\}$/m);
      assert.match(text, /^\{"after":\d+,"close":\{"from":"client","code":1000,"reason":"done"\}\}$/m);
      const before = handshakes();
      for (let take = 0; take < 2; take += 1) {
        const proxy = await open('replay');
        const played = await talk(`${proxy.base}/${REALTIME}`, ['hello', 'again'], `item_${take}`);
        played.send(Buffer.from([1]), Buffer.from([2, 255]));
        await played.until('binary');
        await played.close();
        await proxy.drain();
        assert.equal(proxy.tally.text(), '1 exact');
        assert.deepEqual(await proxy.unused(), []);
        const created = JSON.stringify(played.events.find(({ type }) => type === 'conversation.item.created'));
        assert.match(created, new RegExp(`"id":"item_${take}"`), 'ids of the client are followed through');
        assert.deepEqual(
          played.events.filter(({ type }) => type !== 'conversation.item.created'),
          recorded.events.filter(({ type }) => type !== 'conversation.item.created'),
        );
      }
      assert.equal(handshakes(), before);
    });
  });

  it('are one conversation on the tape, with what was said, and its usage', async () => {
    await onStage(async ({ open, save }) => {
      const live = await open('record');
      await (await talk(`${live.base}/${REALTIME}`, ['hello', 'again'])).close();
      await save(live);
      const [interaction] = live.recorded;
      assert.equal(interaction?.kind, 'llm');
      assert.deepEqual(
        interaction?.request?.messages.map(({ role, content }) => `${role}: ${content}`),
        ['system: Be brief.', 'user: hello', 'assistant: You said hello.', 'user: again'],
      );
      assert.equal(interaction?.request?.model, 'gpt-realtime');
      assert.equal(interaction?.response?.content, 'You said again.');
      assert.equal(interaction?.response?.usage?.totalTokens, 30);
    });
  });

  it('drift on the message that differs, which the agent and the run are told', async () => {
    await onStage(async ({ open, save }) => {
      const live = await open('record');
      await (await talk(`${live.base}/${REALTIME}`, ['hello', 'again'])).close();
      await save(live);
      const drifted = async (words: readonly string[], instructions?: string) => {
        const proxy = await open('replay');
        const client = await talk(`${proxy.base}/${REALTIME}`, words, 'item_1', instructions);
        const closed = await client.closed;
        await proxy.drain();
        const [report] = proxy.tally.reports;
        const said = client.events.find(({ type }) => type === 'error')?.error as Event;
        assert.equal(proxy.tally.misses, 1);
        assert.match(closed, /^1008 Tapedeck: message/);
        assert.equal(said.message, `Tapedeck: ${report?.explanation}`);
        return `${report?.explanation}\n${report?.missed?.line}`;
      };
      const words = await drifted(['hello', 'against']);
      assert.match(words, /^message 4 of the agent, conversation\.item\.create: this request is not on/);
      assert.match(words, /again.*against/s);
      const prompt = await drifted(['hello', 'again'], 'Be long.');
      assert.match(prompt, /^message 1 of the agent, session\.update: .*\[-brief-\]\{\+long\+\}/);
    });
  });

  it('miss where more or less is sent than was recorded, another model, or once too often', async () => {
    await onStage(async ({ open, save }) => {
      const live = await open('record');
      await (await talk(`${live.base}/${REALTIME}`, ['hello', 'again'])).close();
      await save(live);
      const explanation = async (run: (base: string) => Promise<unknown>) => {
        const proxy = await open('replay');
        await run(proxy.base);
        await proxy.drain();
        return proxy.tally.reports.map((report) => `${report.verdict}: ${report.explanation ?? ''}`).join('\n');
      };
      const more = await explanation(async (base) => {
        const client = await talk(`${base}/${REALTIME}`, ['hello', 'again']);
        client.send(item('more'));
        await client.closed;
      });
      assert.equal(more, 'drifted: message 6 of the agent, conversation.item.create, is one more than were recorded');
      const less = await explanation(async (base) => (await talk(`${base}/${REALTIME}`, ['hello'])).close());
      assert.match(
        less,
        /^drifted: the agent closed the connection before it sent .* message 4, conversation\.item\.create$/,
      );
      const other = await explanation(async (base) => {
        const client = new Client(`${base}/openai/realtime?model=other`);
        assert.match(await client.closed, /400/);
      });
      assert.match(other, /^drifted: .*gpt-realtime.*other/s);
      const twice = await explanation(async (base) => {
        await (await talk(`${base}/${REALTIME}`, ['hello', 'again'])).close();
        assert.match(await new Client(`${base}/${REALTIME}`).closed, /400/);
      });
      assert.match(twice, /^exact: \nused-up: /);
    });
  });

  it('of one address are told apart by what their clients say', async () => {
    await onStage(async ({ open, save }) => {
      const live = await open('record');
      const url = `${live.base}/${REALTIME}`;
      const clients = await Promise.all([talk(url, ['one'], 'a', 'A.'), talk(url, ['two'], 'b', 'B.')]);
      for (const client of clients) await client.close();
      await save(live);
      const proxy = await open('replay');
      const replayed = `${proxy.base}/${REALTIME}`;
      const [two, one] = await Promise.all([talk(replayed, ['two'], 'x', 'B.'), talk(replayed, ['one'], 'y', 'A.')]);
      assert.match(JSON.stringify(two.events), /You said two/);
      assert.match(JSON.stringify(one.events), /You said one/);
      await Promise.all([one.close(), two.close()]);
      await proxy.drain();
      assert.equal(proxy.tally.text(), '2 exact');
    });
  });

  it('keep what came where they break off, and are played so', async () => {
    await onStage(async ({ open, save }) => {
      const live = await open('record');
      const client = await talk(`${live.base}/${REALTIME}`, ['hello']);
      client.send({ type: 'break' });
      assert.match(await client.closed, /^1006/);
      await save(live);
      assert.equal(live.tally.text(), '1 cut-off');
      const proxy = await open('replay');
      const played = await talk(`${proxy.base}/${REALTIME}`, ['hello']);
      played.send({ type: 'break' });
      assert.match(await played.closed, /^1006/);
    });
  });

  it('are kept as far as they came where the recording ends first', async () => {
    await onStage(async ({ open, save }) => {
      const live = await open('record');
      const client = await talk(`${live.base}/${REALTIME}`, ['hello']);
      await save(live);
      assert.equal(await client.closed, '1001');
      assert.equal(live.recorded.length, 1);
    });
  });

  it('that are refused are requests: recorded, and refused again', async () => {
    await onStage(async ({ open, save }) => {
      const live = await open('record');
      assert.match(await new Client(`${live.base}/openai/realtime?model=none`).closed, /401/);
      await save(live);
      assert.equal(live.tally.text(), '1 recorded');
      const proxy = await open('replay');
      assert.match(await new Client(`${proxy.base}/openai/realtime?model=none`).closed, /401/);
      assert.equal(proxy.tally.text(), '1 exact');
    });
  });

  it('speak the protocol that the upstream chose', async () => {
    await onStage(async ({ open, save }) => {
      const live = await open('record');
      const url = `${live.base}/${REALTIME}`;
      const client = new Client(url, ['realtime', 'other']);
      await client.until('session.created');
      assert.equal(client.protocol, 'realtime');
      await client.close();
      await save(live);
      const proxy = await open('replay');
      const played = new Client(`${proxy.base}/${REALTIME}`, ['other', 'realtime']);
      await played.until('session.created');
      assert.equal(played.protocol, 'realtime');
      await played.close();
    });
  });

  it('of SDKs that make a wss address of a base URL reach the proxy by TLS', async () => {
    await onStage(async ({ open, save }) => {
      const agent = async ({ variables }: OpenProxy) => {
        const ca = await readFile(variables.SSL_CERT_FILE ?? '');
        const client = new OpenAI({ baseURL: variables.OPENAI_BASE_URL, apiKey: KEYS.OPENAI_API_KEY });
        const socket = new OpenAIRealtimeWS({ model: 'gpt-realtime', options: { ...OPTIONS, ca } }, client);
        const said = new Promise<string>((resolve, reject) => {
          socket.on('error', reject);
          socket.on('response.done', ({ response }) => resolve(JSON.stringify(response.output)));
        });
        socket.on('session.created', () => {
          socket.send(item('hello') as never);
          socket.send({ type: 'response.create' });
        });
        const text = await said;
        socket.close();
        await once(socket.socket, 'close');
        return text;
      };
      const live = await open('record', { forward: true });
      const recorded = await agent(live);
      assert.match(recorded, /You said hello/);
      await save(live);
      const proxy = await open('replay', { forward: true });
      assert.equal(await agent(proxy), recorded);
      await proxy.drain();
      assert.equal(proxy.tally.text(), '1 exact');
    });
  });

  it('of undici are the same', async () => {
    await onStage(async ({ open, save }) => {
      const agent = async (proxy: OpenProxy) => {
        const socket = new UndiciSocket(`${proxy.base}/${REALTIME}`.replace(/^http/, 'ws'));
        const said = await new Promise<string>((resolve, reject) => {
          socket.onerror = () => reject(new Error('refused'));
          socket.onmessage = ({ data }) => {
            const event = JSON.parse(String(data)) as Event;
            if (event.type === 'session.created') {
              socket.send(JSON.stringify(item('hello')));
              socket.send('{"type":"response.create"}');
            } else if (event.type === 'response.done') resolve(String(data));
          };
        });
        socket.close(1000);
        await once(socket as unknown as EventTarget, 'close');
        return said;
      };
      const live = await open('record');
      const recorded = await agent(live);
      await save(live);
      const proxy = await open('replay');
      assert.equal(await agent(proxy), recorded);
      await proxy.drain();
      assert.equal(proxy.tally.text(), '1 exact');
    });
  });

  it('hide a key in a message, and find the same message in a replay', async () => {
    await onStage(async ({ open, save, tapePath }) => {
      const key = KEYS.ANTHROPIC_API_KEY;
      const live = await open('record');
      await (await talk(`${live.base}/${REALTIME}`, [`my key is ${key}`, 'again'])).close();
      await save(live);
      const text = await readFile(tapePath, 'utf8');
      assert.ok(!text.includes(key.slice(10)), text);
      assert.match(text, /"text":"again"/, 'the next message is whole');
      const proxy = await open('replay');
      await (await talk(`${proxy.base}/${REALTIME}`, [`my key is ${key}`, 'again'])).close();
      await proxy.drain();
      assert.equal(proxy.tally.text(), '1 exact');
    });
  });

  it('are passed on and not recorded where nothing is', async () => {
    await onStage(async ({ open, handshakes }) => {
      const proxy = await open('passthrough');
      await (await talk(`${proxy.base}/${REALTIME}`, ['hello'])).close();
      await proxy.drain();
      assert.deepEqual([proxy.tally.text(), proxy.recorded.length, handshakes()], ['1 passed', 0, 1]);
    });
  });

  it('go on to an upstream in `auto` where the tape has none', async () => {
    await onStage(async ({ open, save, handshakes }) => {
      const live = await open('record');
      await (await talk(`${live.base}/${REALTIME}`, ['hello'])).close();
      await save(live);
      const proxy = await open('auto');
      await (await talk(`${proxy.base}/${REALTIME}`, ['hello'])).close();
      const before = handshakes();
      await (await talk(`${proxy.base}/openai/other/realtime`, ['hello'])).close();
      await proxy.drain();
      assert.deepEqual([proxy.tally.text(), handshakes() - before], ['1 exact, 1 recorded', 1]);
    });
  });

  it('are closed with the proxy, and refused to who does not know the secret', async () => {
    await onStage(async ({ open }) => {
      const proxy = await open('record');
      const client = new Client(`${proxy.base}/${REALTIME}`);
      await client.until('session.created');
      const { origin } = new URL(proxy.base);
      assert.match(await new Client(`${origin}/${REALTIME}`).closed, /404/);
      assert.match(await new Client(`${proxy.base}/nothing/realtime`).closed, /404/);
      assert.match(await new Client(`${proxy.base}/~lane`).closed, /400/);
      await proxy.close();
      assert.match(await client.closed, /^1006/);
    });
  });
});
