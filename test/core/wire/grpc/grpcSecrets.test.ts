import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../../src/core/json/json';
import type { HttpExchange } from '../../../../src/core/model/http';
import { createRedactor } from '../../../../src/core/secrets/redactor';
import { GrpcMessages } from '../../../../src/core/wire/grpc/grpcMessages';
import { messageBytes, messageJson } from '../../../../src/core/wire/grpc/messageJson';
import { type Talk, type TalkMessage, talkBody, talkOf } from '../../../../src/core/wire/realtime/talk';

const KEY = 'sk-ant-api03-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';
const URL = 'http://localhost/test.Echo/Talk';
const MESSAGES = new GrpcMessages(URL);
const redactor = createRedactor({ values: [KEY], environments: [], proxies: [], patterns: [] });

/** A call on a tape, from the bytes of its messages. */
function hidden(
  said: readonly (readonly [from: 'client' | 'server', json: Json])[],
  end: Partial<Talk['close']> = {},
): Talk {
  const messages = said.map(([from, json]): TalkMessage => ({ from, ...MESSAGES.written(from, messageBytes(json)) }));
  const exchange: HttpExchange = {
    method: 'POST',
    url: URL,
    requestHeaders: [['content-type', 'application/grpc']],
    requestBody: { type: 'none' },
    status: 200,
    responseHeaders: [['x-hint', KEY]],
    responseBody: talkBody({ messages, close: { from: 'server', code: 5, reason: '', ...end } }),
  };
  const clean = redactor.exchange(exchange)?.exchange ?? assert.fail('it cannot be searched');
  assert.ok(!JSON.stringify(clean.responseHeaders).includes(KEY));
  return talkOf(clean) ?? assert.fail();
}

/** All that a message would say when it is sent again. */
function sent(message: TalkMessage): string {
  const bytes = MESSAGES.bytes(message) ?? assert.fail(`${message.data} cannot be sent`);
  return Buffer.from(bytes).toString('latin1');
}

describe('secrets in a call of gRPC', () => {
  it('are hidden wherever they are in a message, which can still be sent', () => {
    const text = fc.oneof(fc.string({ maxLength: 12 }), fc.constant(KEY), fc.constant(`my key is ${KEY}, really`));
    const { message } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.array(text, { minLength: 2, maxLength: 3 }),
        tie('message'),
      ),
      message: fc
        .array(fc.tuple(fc.integer({ min: 1, max: 9 }), tie('value')), { minLength: 1, maxLength: 4 })
        .map((members) => Object.fromEntries(members.map(([number, value]) => [`field_${number}`, value]))),
    }));
    fc.assert(
      fc.property(fc.array(message as fc.Arbitrary<Json>, { minLength: 1, maxLength: 3 }), (jsons) => {
        const talk = hidden(jsons.flatMap((json) => [['client', json] as const, ['server', json] as const]));
        for (const one of talk.messages) assert.ok(!sent(one).includes(KEY), one.data);
      }),
    );
  });

  it('are hidden in bytes, in the message of the status, and in trailers', () => {
    const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
    for (const before of ['', '\u0001', '\u0001ab', '\u0000\u00ff'])
      for (const one of hidden([['server', { 'field_2:bytes': base64(`${before}${KEY}\u0002`) }]]).messages)
        assert.ok(!sent(one).includes(KEY), one.data);
    const { close } = hidden([], {
      reason: `no ${KEY}`,
      trailers: [
        ['x-hint', KEY],
        ['x-hint-bin', base64(`\u0008\u0001${KEY}`)],
      ],
    });
    assert.ok(!JSON.stringify(close).includes(KEY));
    for (const [, value] of close?.trailers ?? [])
      assert.ok(!Buffer.from(value, 'base64').toString('latin1').includes(KEY));
  });

  it('are hidden where they are spread over messages of one end', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: KEY.length - 1 }),
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom('client' as const, 'server' as const),
        (at, more, from) => {
          const pieces = [KEY.slice(0, at), KEY.slice(at, at + more), KEY.slice(at + more)].filter(Boolean);
          const talk = hidden(pieces.map((piece) => [from, { field_1: piece }] as const));
          const said = talk.messages.map((one) => messageJson(MESSAGES.bytes(one) ?? new Uint8Array())?.field_1);
          assert.ok(!said.join('').includes(KEY), said.join('|'));
        },
      ),
    );
  });
});
