// npx mocha test/soak/talks.ts   Messages of gRPC, and sequences of messages and frames, at random: COUNT of the first (100,000) and SEQUENCES
// of the others (1,000,000), from SEED (1). What is read is written as the same bytes; a talk is played as it was recorded to who says
// the same, and to nobody else; no bytes break what reads them, or take more memory than they have. Not among the tests: it takes minutes.
import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { TalkReplay } from '../../src/core/match/talkReplay';
import { GrpcMessages } from '../../src/core/wire/grpc/grpcMessages';
import { messageBytes } from '../../src/core/wire/grpc/messageJson';
import { generativeLanguage } from '../../src/core/wire/grpc/tables/generativeLanguage';
import { vertex } from '../../src/core/wire/grpc/tables/vertex';
import { xai } from '../../src/core/wire/grpc/tables/xai';
import { readExchange } from '../../src/core/wire/read/readExchange';
import { type TalkMessage, talkBody } from '../../src/core/wire/realtime/talk';
import { GrpcClientLine } from '../../src/engine/network/grpc';
import { framed } from '../harness/grpcServer';
import { Random, runSeed } from './random';

const { COUNT = '100000', SEQUENCES = '1000000', SEED = '1' } = process.env;
const KNOWN = [
  ['/test.Echo/Talk', undefined],
  ['/google.cloud.aiplatform.v1.PredictionService/GenerateContent', { table: vertex, name: 'GenerateContentRequest' }],
  [
    '/google.ai.generativelanguage.v1beta.GenerativeService/GenerateContent',
    { table: generativeLanguage, name: 'GenerateContentRequest' },
  ],
  ['/xai_api.Chat/GetCompletion', { table: xai, name: 'GetCompletionsRequest' }],
] as const;
const CODECS = KNOWN.map(([path]) => ({ path, codec: new GrpcMessages(path) }));

function randomBytes(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256));
}

/** A message that is protobuf for the most part, with what others write of it in mind. */
function randomMessage(random: Random, depth = 0): Uint8Array {
  const fields = Array.from({ length: random.below(5) }, (): Uint8Array => {
    const number = 1 + random.below(12);
    switch (random.below(depth > 3 ? 4 : 6)) {
      case 0:
        return messageBytes({ [`field_${number}`]: BigInt(random.below(2 ** 31)) * BigInt(random.below(2 ** 31)) });
      case 1:
        return messageBytes({ [`field_${number}:double`]: random.next() });
      case 2:
        return messageBytes({
          [`field_${number}:bytes`]: Buffer.from(randomBytes(random, random.below(9))).toString('base64'),
        });
      case 3:
        return messageBytes({
          [`field_${number}`]: random.pick(['', 'user', 'Hi there', '\n\u0005', 'é😀', 'models/m']),
        });
      default:
        return messageBytes({
          [`field_${number}:bytes`]: Buffer.from(randomMessage(random, depth + 1)).toString('base64'),
        });
    }
  });
  const whole = Buffer.concat(fields);
  if (whole.length === 0 || !random.chance(0.2)) return Uint8Array.from(whole);
  // A byte that is changed, or the end that is missing.
  const at = random.below(whole.length);
  if (random.chance(0.5)) return Uint8Array.from(whole.subarray(0, at));
  return Uint8Array.from(whole, (byte, index) => (index === at ? random.below(256) : byte));
}

describe('talks at random', () => {
  it(`${COUNT} messages of gRPC are read as the bytes that they are`, () => {
    let asJson = 0;
    for (let run = 0; run < Number(COUNT); run += 1) {
      const random = new Random(runSeed(Number(SEED), 'message', run));
      const said = random.chance(0.1) ? randomBytes(random, random.below(40)) : randomMessage(random);
      const { path, codec } = CODECS[run % CODECS.length] ?? assert.fail();
      const written = codec.written('client', said);
      const message = { from: 'client', ...written } as const;
      assert.ok(Buffer.from(codec.bytes(message) ?? []).equals(said), `run ${run}`);
      asJson += written.base64 ? 0 : 1;
      const { problems } = readExchange({
        ...{ method: 'POST', url: path, requestHeaders: [['content-type', 'application/grpc']], status: 200 },
        ...{ requestBody: { type: 'none' }, responseHeaders: [], responseBody: talkBody({ messages: [message] }) },
      });
      assert.deepEqual(problems, [], `run ${run}`);
    }
    console.log(`      ${asJson} of ${COUNT} as JSON`);
    assert.ok(asJson > Number(COUNT) / 2);
  });

  it(`${Number(COUNT) / 10} bodies are cut into messages wherever they come in pieces, and broken ones end the call`, async () => {
    let ended = 0;
    for (let run = 0; run < Number(COUNT) / 10; run += 1) {
      const random = new Random(runSeed(Number(SEED), 'frames', run));
      const sent = Array.from({ length: random.below(6) }, () => randomMessage(random));
      const isBroken = random.chance(0.3);
      const body = Buffer.concat([
        ...sent.map((message) => framed(message, random.chance(0.3))),
        ...(isBroken ? [Buffer.from([1 + random.below(255), ...randomBytes(random, 4 + random.below(9))])] : []),
      ]);
      const request = new IncomingMessage(new Socket());
      request.headers['grpc-encoding'] = 'gzip';
      const response = new ServerResponse(request);
      const line = new GrpcClientLine(request, response);
      const got: Buffer[] = [];
      line.on('message', (message) => got.push(message));
      line.on('close', () => {
        ended += 1;
      });
      for (let at = 0; at < body.length; ) {
        const length = 1 + random.below(12);
        request.push(body.subarray(at, at + length));
        at += length;
      }
      request.push(null);
      line.resume();
      await new Promise((resolve) => setImmediate(resolve));
      assert.ok(got.length >= sent.length || isBroken, `run ${run}`);
      for (const [at, message] of sent.entries())
        if (got[at] !== undefined) assert.ok(got[at].equals(message), `run ${run}`);
      assert.equal(line.bufferedAmount >= 0, true);
    }
    console.log(`      ${ended} calls ended for what was broken`);
  });

  it(`${SEQUENCES} sequences of messages are played to who says the same, and to nobody else`, () => {
    const counts = { same: 0, drifted: 0 };
    for (let run = 0; run < Number(SEQUENCES); run += 1) {
      const random = new Random(runSeed(Number(SEED), 'sequence', run));
      const carrier = random.chance(0.5) ? 'websocket' : 'grpc';
      const messages = Array.from({ length: 1 + random.below(8) }, (_, at): TalkMessage => {
        const from = random.chance(0.5) ? 'client' : 'server';
        if (from === 'client' && random.chance(0.1))
          return { from, data: Buffer.from(randomBytes(random, 3)).toString('base64'), base64: true };
        return { from, data: JSON.stringify({ type: random.pick(['a', 'b']), n: at, text: `t${random.below(9)}` }) };
      });
      if (carrier === 'grpc') messages.push({ from: 'client', data: '', isLast: true });
      const replay = new TalkReplay(
        [{ index: 0, talk: { messages, close: { from: 'client', code: 1000, reason: '' } } }],
        { carrier, path: '/a.B/C' },
        { masks: [] },
      );
      const own = messages.filter(({ from }) => from === 'client');
      const changed = random.chance(0.1) ? random.below(own.length) : -1;
      const played = [...replay.start()];
      let drifted: number | undefined;
      for (const [at, message] of own.entries()) {
        const step = replay.sent(at === changed ? { data: JSON.stringify({ type: 'z', n: -1 }) } : message);
        if ('drifted' in step) {
          drifted = at;
          break;
        }
        played.push(...step.played);
      }
      if (changed >= 0 && own.length > 0) assert.equal(drifted, changed, `run ${run}`);
      else {
        assert.equal(drifted, undefined, `run ${run}`);
        const expected = messages.filter(({ from }) => from === 'server').map(({ data }) => data);
        assert.deepEqual(
          played.map((one) => ('data' in one ? one.data : '')),
          expected,
          `run ${run}`,
        );
      }
      counts[drifted === undefined ? 'same' : 'drifted'] += 1;
    }
    console.log(`      ${counts.same} played, ${counts.drifted} drifted`);
  });
});
