import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonRecord } from '../../../../src/core/json/json';
import { parseJson } from '../../../../src/core/json/readJson';
import { GrpcMessages } from '../../../../src/core/wire/grpc/grpcMessages';
import { messageBytes, messageJson } from '../../../../src/core/wire/grpc/messageJson';
import { methodName } from '../../../../src/core/wire/grpc/methods';
import { generativeLanguage } from '../../../../src/core/wire/grpc/tables/generativeLanguage';
import { vertex } from '../../../../src/core/wire/grpc/tables/vertex';
import { xai } from '../../../../src/core/wire/grpc/tables/xai';

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const UNKNOWN = new GrpcMessages('http://localhost/test.Echo/Unary');
const VERTEX = new GrpcMessages('/google.cloud.aiplatform.v1.PredictionService/GenerateContent');

describe('a message of gRPC', () => {
  it('is JSON by the numbers of its fields where nothing is known of them', () => {
    const told: [hex: string, json: unknown][] = [
      ['', {}],
      ['0a 05 68 65 6c 6c 6f', { field_1: 'hello' }],
      // A message whose only field is a text looks like a text that begins with a line feed.
      ['12 07 0a 05 68 65 6c 6c 6f', { field_2: { field_1: 'hello' } }],
      ['08 96 01 08 01', { field_1: [150, 1] }],
      ['18 ff ff ff ff ff ff ff ff ff 01', { field_3: -1 }],
      ['21 00 00 00 00 00 00 f8 3f', { 'field_4:double': 1.5 }],
      ['2d 33 33 33 3f', { 'field_5:float': 0.7 }],
      ['31 00 00 00 00 00 00 f0 7f', { 'field_6:fixed64': 9218868437227405312n }],
      ['3a 02 ff fe', { 'field_7:bytes': '//4=' }],
      // A length that is not there, a group, a number of a field that is none.
      ['0a 05 68', undefined],
      ['0b 0c', undefined],
      ['00 01', undefined],
    ];
    for (const [hex, json] of told) assert.deepEqual(messageJson(bytes(hex)), json, hex);
  });

  it('is what it was when it is written again, whatever it is', () => {
    const check = (said: Uint8Array): void => {
      for (const messages of [UNKNOWN, VERTEX])
        for (const from of ['client', 'server'] as const) {
          const written = messages.written(from, said);
          assert.deepEqual(messages.bytes({ from, ...written }), said);
          if (!written.base64) assert.ok(parseJson(written.data));
        }
    };
    const any = fc.uint8Array({ maxLength: 60 });
    fc.assert(fc.property(any, check));
    // Bytes that are a message more often than not.
    const field = fc.oneof(
      fc.tuple(fc.integer({ min: 1, max: 12 }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
      fc.tuple(fc.integer({ min: 1, max: 12 }), fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }))),
    );
    const message = fc
      .array(field, { maxLength: 8 })
      .map((fields) =>
        Buffer.concat(
          fields.map(([number, value]) =>
            messageBytes({ [`field_${number}`]: typeof value === 'bigint' ? BigInt.asIntN(64, value) : value }),
          ),
        ),
      );
    const nested = fc
      .array(message, { maxLength: 3 })
      .map((parts) =>
        Uint8Array.from(
          Buffer.concat(
            parts.map((part) =>
              Buffer.concat([Buffer.from([0x12, part.length & 0x7f]), part.subarray(0, part.length & 0x7f)]),
            ),
          ),
        ),
      );
    fc.assert(fc.property(nested, check));
  });

  it('is JSON by the names of its fields where these are known, with what is unknown beside them', () => {
    const json: JsonRecord = {
      contents: [{ role: 'user', parts: [{ text: 'Hi' }, { inlineData: { mimeType: 'image/png', data: 'AAEC' } }] }],
      generationConfig: { temperature: 0.7, topK: 40, responseModalities: ['AUDIO'] },
      model: 'projects/p/locations/l/publishers/google/models/gemini-2.5-pro',
      tools: [
        {
          functionDeclarations: [{ name: 'f', parameters: { type: 'OBJECT', properties: { a: { type: 'STRING' } } } }],
        },
      ],
      labels: { team: 'a' },
      field_99: 5,
    };
    const said = messageBytes(json, { table: vertex, name: 'GenerateContentRequest' });
    const { data } = VERTEX.written('client', said);
    assert.deepEqual(JSON.parse(data), json);
    const called = {
      candidates: [{ content: { parts: [{ functionCall: { name: 'f', args: { a: [1, null, 'x', { b: true }] } } }] } }],
    };
    const answered = messageBytes(called, { table: generativeLanguage, name: 'GenerateContentResponse' });
    assert.deepEqual(messageJson(answered, { table: generativeLanguage, name: 'GenerateContentResponse' }), called);
    const asked = { model: 'grok-4', messages: [{ content: [{ text: 'Hi' }], role: 'ROLE_USER' }], stop: ['a', 'b'] };
    const grok = { table: xai, name: 'GetCompletionsRequest' };
    assert.deepEqual(messageJson(messageBytes(asked, grok), grok), asked);
    // Another message at the same path.
    assert.deepEqual(JSON.parse(VERTEX.written('client', bytes('12 02 08 05')).data), { field_2: { field_1: 5 } });
  });

  it('is none where somebody has made of it what cannot be sent', () => {
    for (const data of [
      '{"no_field":1}',
      '[]',
      '1',
      'x',
      '{"field_1":null}',
      '{"field_1:double":"x"}',
      '{"field_0":1}',
    ])
      assert.equal(UNKNOWN.bytes({ from: 'client', data }), undefined, data);
    assert.equal(VERTEX.bytes({ from: 'client', data: '{"model":5}' }), undefined);
    assert.equal(methodName('https://api.x.ai/xai_api.Chat/GetCompletion'), 'Chat/GetCompletion');
  });
});
