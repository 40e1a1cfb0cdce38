import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { connect, constants } from 'node:http2';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readTape } from '../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { messageBytes, messageJson } from '../../../src/core/wire/grpc/messageJson';
import { generativeLanguage } from '../../../src/core/wire/grpc/tables/generativeLanguage';
import type { OpenProxy, ProxyOptions } from '../../../src/engine/proxy/openProxy';
import type { InteractionReport } from '../../../src/engine/proxy/session/report';
import { saveRecording } from '../../../src/engine/recording/saveRecording';
import { framed, type GrpcCall, Unframer, withGrpcServer } from '../../harness/grpcServer';
import { KEYS, proxyIn } from '../../harness/proxyTakes';
import { inFolder, RECORDER } from '../../harness/support';

const say = (text: string): Uint8Array => messageBytes({ field_1: text });
const heard = (message: Buffer): string => String(messageJson(message)?.field_1 ?? '');
const ANSWER = { table: generativeLanguage, name: 'GenerateContentResponse' };
const ASKED = { table: generativeLanguage, name: 'GenerateContentRequest' };
const KEY = KEYS.OPENAI_API_KEY;

const METHODS: Record<string, (call: GrpcCall) => void> = {
  '/test.Echo/Unary': (call) => {
    call.onMessage((message) => call.say(say(`You said ${heard(message)}.`)));
    call.onLast(() => call.end(0, '', { 'x-cost': '3' }));
  },
  '/test.Echo/Count': (call) => {
    call.onMessage((message) => {
      for (let at = 1; at <= Number(heard(message)); at += 1) call.say(say(`${at}`), true);
      call.end();
    });
  },
  '/test.Echo/Join': (call) => {
    const words: string[] = [];
    call.onMessage((message) => words.push(heard(message)));
    call.onLast(() => {
      call.say(say(words.join(' ')));
      call.end();
    });
  },
  '/test.Echo/Talk': (call) => {
    call.onMessage((message) => call.say(say(heard(message).toUpperCase())));
    call.onLast(() => call.end());
  },
  '/test.Echo/Endless': (call) => {
    call.onMessage(() => {
      const timer = setInterval(() => call.say(say('tick')), 5);
      call.stream.once('close', () => clearInterval(timer));
    });
  },
  '/test.Echo/Fail': (call) => {
    call.onLast(() =>
      call.end(5, `no such thing as ${KEY}`, { 'x-hint-bin': Buffer.from(`key ${KEY}`).toString('base64') }),
    );
    call.stream.resume();
  },
  '/test.Echo/Break': (call) => {
    call.onMessage(() => {
      call.say(say('half'));
      setTimeout(() => call.stream.close(constants.NGHTTP2_INTERNAL_ERROR), 20);
    });
  },
  '/google.ai.generativelanguage.v1beta.GenerativeService/GenerateContent': (call) => {
    call.onMessage(() => {
      const content = {
        role: 'model',
        parts: [{ functionCall: { name: 'weather', args: { city: 'Paris', days: 2 } } }],
      };
      call.say(
        messageBytes(
          {
            candidates: [{ content, finishReason: 'STOP' }],
            usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 4, totalTokenCount: 11 },
          },
          ANSWER,
        ),
      );
      call.end();
    });
  },
};

interface Outcome {
  readonly messages: string[];
  readonly status: string;
  readonly text: string;
  readonly trailers: Record<string, unknown>;
}

interface Spoken {
  /** In place of the end of what is sent. */
  readonly cancelAfter?: number;
  readonly headers?: Record<string, string>;
  readonly raw?: Buffer;
}

/** Calls a method at the proxy without TLS. Messages after the first wait for a response each where `isTurned`. */
async function call(
  base: string,
  path: string,
  sent: readonly (string | Uint8Array)[],
  { cancelAfter, headers = {}, raw }: Spoken = {},
): Promise<Outcome> {
  const { origin, pathname } = new URL(base);
  const session = connect(origin);
  const failed = new Promise<Error>((resolve) => session.once('error', resolve));
  const stream = session.request({
    ':method': 'POST',
    ':path': `${pathname}${path}`,
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: `Bearer ${KEY}`,
    ...headers,
  });
  const messages: string[] = [];
  const unframer = new Unframer();
  let trailers: Record<string, unknown> = {};
  stream.on('error', () => undefined);
  stream.on('response', (first) => {
    if ('grpc-status' in first) trailers = first;
  });
  stream.on('trailers', (last) => {
    trailers = last;
  });
  stream.on('data', (bytes: Buffer) => {
    for (const message of unframer.take(bytes)) messages.push(heard(message));
    if (cancelAfter !== undefined && messages.length >= cancelAfter) stream.close(constants.NGHTTP2_CANCEL);
  });
  for (const message of sent) stream.write(framed(typeof message === 'string' ? say(message) : message));
  if (raw !== undefined) stream.write(raw);
  if (cancelAfter === undefined) stream.end();
  await Promise.race([new Promise((resolve) => stream.once('close', resolve)), failed]);
  session.destroy();
  const { 'grpc-status': status = 'none', 'grpc-message': text = '' } = trailers;
  return { messages, status: String(status), text: decodeURIComponent(String(text)), trailers };
}

interface Stage {
  readonly root: string;
  readonly tapePath: string;
  readonly reports: InteractionReport[];
  /** The address of the server's methods at a proxy. */
  at(proxy: OpenProxy): string;
  open(mode: 'record' | 'replay', more?: Partial<ProxyOptions>): Promise<OpenProxy>;
  save(proxy: OpenProxy): Promise<void>;
  calls(): number;
}

async function onStage(use: (stage: Stage) => Promise<void>): Promise<void> {
  const opened: OpenProxy[] = [];
  await withGrpcServer(METHODS, (origin, calls) =>
    inFolder(async (root) => {
      const tapePath = join(root, 'calls.tape.jsonl');
      const reports: InteractionReport[] = [];
      const open: Stage['open'] = async (mode, more) => {
        const proxy = await proxyIn(root, {
          tapePath,
          mode,
          forward: true,
          onReport: (report) => reports.push(report),
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
      const at = (proxy: OpenProxy) => `${proxy.base}/@/${origin.replace('://', '/')}`;
      try {
        await use({ root, tapePath, reports, at, open, save, calls });
      } finally {
        for (const proxy of opened) await proxy.close();
      }
    }),
  );
}

describe('gRPC through the proxy', () => {
  it('is recorded in its four kinds, and replayed with the server gone, twice', async () => {
    const agent = async (base: string): Promise<Outcome[]> => [
      await call(base, '/test.Echo/Unary', ['hello']),
      await call(base, '/test.Echo/Count', ['3']),
      await call(base, '/test.Echo/Join', ['a', 'b', 'c']),
      await call(base, '/test.Echo/Talk', ['x', 'y']),
    ];
    await onStage(async ({ at, open, save, tapePath, reports, calls }) => {
      const live = await open('record');
      const first = await agent(at(live));
      assert.deepEqual(
        first.map(({ messages, status }) => `${status} ${messages.join()}`),
        ['0 You said hello.', '0 1,2,3', '0 a b c', '0 X,Y'],
      );
      assert.equal(first[0]?.trailers['x-cost'], '3');
      await save(live);
      const tape = await readFile(tapePath, 'utf8');
      assert.doesNotMatch(tape, new RegExp(KEY));
      assert.match(tape, /"client":\{"field_1":"hello"\}/);
      assert.match(tape, /"trailers":\[\["x-cost","3"\]\]/);
      const before = calls();
      for (const _ of ['once', 'again']) {
        const again = await agent(at(await open('replay')));
        assert.deepEqual(
          again.map(({ messages, status }) => [messages, status]),
          first.map(({ messages, status }) => [messages, status]),
        );
        assert.equal(again[0]?.trailers['x-cost'], '3');
      }
      assert.equal(calls(), before);
      assert.deepEqual(new Set(reports.map(({ verdict }) => verdict)), new Set(['recorded', 'exact']));
    });
  });

  it('names the field that drifts, what is missing, and what is too much', async () => {
    await onStage(async ({ at, open, save, reports }) => {
      const live = await open('record');
      await call(at(live), '/test.Echo/Join', ['a', 'b']);
      await save(live);
      reports.length = 0;
      const replay = async (path: string, ...sent: string[]) => call(at(await open('replay')), path, sent);
      const changed = await replay('/test.Echo/Join', 'a', 'c');
      assert.equal(changed.status, '9');
      assert.match(changed.text, /^Tapedeck: message 2 of the agent, Echo\/Join: .*field_1/);
      assert.match((await replay('/test.Echo/Join', 'a')).text, /before it sent what was recorded as its message 2/);
      assert.match(
        (await replay('/test.Echo/Join', 'a', 'b', 'c')).text,
        /message 3 of the agent, Echo\/Join, is one more/,
      );
      assert.match((await replay('/test.Echo/Other', 'a')).text, /^Tapedeck: /);
      assert.deepEqual(
        reports.map(({ verdict }) => verdict),
        ['drifted', 'drifted', 'drifted', 'missing'],
      );
    });
  });

  it('hides secrets in messages, messages of a status, and trailers', async () => {
    await onStage(async ({ at, open, save, tapePath }) => {
      const live = await open('record');
      const failed = await call(at(live), '/test.Echo/Fail', [`my key is ${KEY}`]);
      assert.equal(failed.status, '5');
      assert.match(failed.text, new RegExp(KEY));
      const nested = messageBytes({
        field_1: 'x',
        field_4: { field_2: KEY, 'field_9:bytes': Buffer.from(`\u0001${KEY}`).toString('base64') },
      });
      await call(at(live), '/test.Echo/Unary', [nested]);
      await save(live);
      const tape = await readFile(tapePath, 'utf8');
      assert.doesNotMatch(tape, new RegExp(KEY));
      for (const [, base64 = ''] of tape.matchAll(/"([A-Za-z0-9+/]{16,}={0,2})"/g))
        assert.doesNotMatch(Buffer.from(base64, 'base64').toString('latin1'), new RegExp(KEY));
      const played = await open('replay');
      assert.equal((await call(at(played), '/test.Echo/Fail', [`my key is ${KEY}`])).status, '5');
      assert.equal((await call(at(played), '/test.Echo/Unary', [nested])).status, '0');
    });
  });

  it('is read as a conversation where its messages are known', async () => {
    const path = '/google.ai.generativelanguage.v1beta.GenerativeService/GenerateContent';
    const ask = (text: string) =>
      messageBytes({ model: 'models/gemini-2.5-flash', contents: [{ parts: [{ text }], role: 'user' }] }, ASKED);
    await onStage(async ({ at, open, save, tapePath }) => {
      const live = await open('record');
      await call(at(live), path, [ask('weather in Paris?')]);
      await save(live);
      const tape = await readFile(tapePath, 'utf8');
      assert.match(
        tape,
        /"contents":\[\{"role"|"contents":\[\{"parts":\[\{"text":"weather in Paris\?"\}\],"role":"user"\}\]/,
      );
      const read = readTape(tapeFileFromText(tape, tapePath));
      const { request, response, kind } = read?.interactions[0] ?? assert.fail();
      assert.equal(kind, 'llm');
      assert.equal(request?.model, 'gemini-2.5-flash');
      assert.equal(request?.messages[0]?.content, 'weather in Paris?');
      assert.deepEqual(
        response?.toolCalls.map(({ name }) => name),
        ['weather'],
      );
      assert.equal(response?.usage?.totalTokens, 11);
      const drifted = await call(at(await open('replay')), path, [ask('weather in Rome?')]);
      assert.match(drifted.text, /\[-Paris-\]\{\+Rome\+\}/);
    });
  });

  it('ends at the server where the connection of its client is gone', async () => {
    let leave = (): void => undefined;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const wait = ({ stream, say: answer }: GrpcCall): void => {
      stream.once('close', leave);
      answer(say('wait'));
    };
    await withGrpcServer({ '/test.Echo/Wait': wait }, (origin) =>
      inFolder(async (root) => {
        const proxy = await proxyIn(root, { tapePath: join(root, 'x.tape.jsonl'), mode: 'record', forward: true });
        const place = new URL(`${proxy.base}/@/${origin.replace('://', '/')}/test.Echo/Wait`);
        const session = connect(place.origin);
        const headers = {
          ':method': 'POST',
          ':path': place.pathname,
          'content-type': 'application/grpc',
          te: 'trailers',
        };
        const stream = session.request(headers);
        stream.on('error', () => undefined);
        stream.once('data', () => session.destroy());
        stream.write(framed(say('go')));
        await left;
        await proxy.close();
      }),
    );
  });

  it('is over where its client leaves before the server answers', async () => {
    await onStage(async ({ at, open }) => {
      const live = await open('record');
      const place = new URL(`${at(live)}/test.Echo/Endless`);
      const headers = {
        ':method': 'POST',
        ':path': place.pathname,
        'content-type': 'application/grpc',
        te: 'trailers',
      };
      for (const patience of Array.from({ length: 40 }, (_, at) => at % 8)) {
        const session = connect(place.origin);
        session.on('error', () => undefined);
        session.request(headers).on('error', () => undefined);
        await wait(patience);
        session.destroy();
      }
      await live.drain();
    });
  });

  it('is recorded as far as it came where it is cancelled, breaks off, or says what cannot be read', async () => {
    await onStage(async ({ at, open, save, reports }) => {
      const live = await open('record');
      const cancelled = await call(at(live), '/test.Echo/Endless', ['go'], { cancelAfter: 3 });
      assert.ok(cancelled.messages.length >= 3);
      const broken = await call(at(live), '/test.Echo/Break', ['go']);
      assert.deepEqual([broken.messages, broken.status], [['half'], 'none']);
      const packed = Buffer.from([1, 0, 0, 0, 1, 7]);
      const unknown = await call(at(live), '/test.Echo/Unary', [], {
        raw: packed,
        headers: { 'grpc-encoding': 'snappy' },
      });
      assert.equal(unknown.status, '12');
      assert.match(unknown.text, /snappy/);
      const large = await call(at(live), '/test.Echo/Unary', [], { raw: Buffer.from([0, 255, 0, 0, 0]) });
      assert.equal(large.status, '8');
      await save(live);
      reports.length = 0;
      const played = await open('replay');
      assert.ok((await call(at(played), '/test.Echo/Endless', ['go'], { cancelAfter: 3 })).messages.length >= 3);
      const again = await call(at(played), '/test.Echo/Break', ['go']);
      assert.deepEqual([again.messages, again.status], [['half'], 'none']);
      assert.deepEqual(
        reports.map(({ verdict }) => verdict),
        ['exact', 'exact'],
      );
    });
  });
});
