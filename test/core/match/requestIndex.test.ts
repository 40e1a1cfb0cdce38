import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sha256Hex } from '../../../src/core/hash/digest';
import { comparableFromExchange, type WireRequest } from '../../../src/core/match/comparableRequest';
import { parseMask } from '../../../src/core/match/masks';
import { createMatcher, type RequestMatcher } from '../../../src/core/match/matcher';
import { recordedRequests } from '../../../src/core/match/recordings';
import { readRequestIndex, writeRequestIndex } from '../../../src/core/match/requestIndex';
import { type Sketches, signRequest } from '../../../src/core/match/signature';
import type { HttpExchange } from '../../../src/core/model/http';
import { randomOf } from '../../harness/random.mjs';
import { generatedTapes } from './generatedTapes';
import { type Body, seedDrift } from './seededDrifts';

const DRIFTS = 60;

describe('The index of a tape’s requests', () => {
  for (const mask of [undefined, '/temperature'])
    for (const { name, interactions } of generatedTapes())
      it(`finds what the tape itself says: ${name}, ${mask ?? 'no mask'}`, () => {
        const masks = [mask].flatMap((one) => (one === undefined ? [] : (parseMask(one) ?? [])));
        const rules = { match: 'exact', masks, hash: sha256Hex } as const;
        const recorded = recordedRequests({ format: 'vcrpy', interactions, problems: [] }, {});
        const sketches: Sketches = new Map();
        const requests = recorded.map(({ index, kind, address, host, wire }) => {
          assert.ok(wire);
          const signature = signRequest(wire(), { ...rules, sketches });
          return { index, kind, ...(address && { address }), ...(host && { host }), signature };
        });
        const bytes = writeRequestIndex({ requests, sketches });
        const index = readRequestIndex(bytes);
        assert.ok(index);
        const text = Buffer.from(bytes).toString('latin1');
        assert.ok(!text.includes('refund') && !text.includes('careful'), 'no text of a request');
        let reads = 0;
        const wire = (at: number) => {
          reads += 1;
          return comparableFromExchange(interactions[at]?.http ?? assert.fail());
        };
        const fromIndex = index.requests(wire);
        assert.deepEqual(
          fromIndex.map(({ index, kind, address, host, signature }) => ({ index, kind, address, host, signature })),
          requests,
        );
        const indexed = createMatcher(fromIndex, rules, index);
        const whole = createMatcher(recorded, rules);
        const random = randomOf(7);
        for (let drift = 0; drift < DRIFTS; drift += 1) {
          const http = interactions[random(interactions.length)]?.http ?? assert.fail();
          const body = bodyOf(http);
          const changed = random(4) === 0 ? body : (seedDrift(body, random)?.body ?? body);
          const request = { method: http.method, url: http.url, headers: [], body: encode(changed) };
          assert.deepEqual(said(indexed, request), said(whole, request));
        }
        assert.ok(reads < DRIFTS * 13, `${reads} requests were read`);
      });

  it('is read where it begins at any byte', () => {
    const signature = {
      key: 'k\xff',
      plainKey: 'pk',
      address: 'a',
      messages: [2 ** 52 + 1, 7],
      tools: [],
      settings: [3],
    };
    const requests = [{ index: 4, kind: 'http' as const, host: 'h', signature }];
    const bytes = writeRequestIndex({ requests, sketches: new Map([[7, [1, 2 ** 32 - 1]]]) });
    for (let start = 0; start < 8; start += 1) {
      const moved = new Uint8Array(bytes.length + start);
      moved.set(bytes, start);
      const [request] = readRequestIndex(moved.subarray(start))?.requests(() => ({ body: null })) ?? [];
      assert.deepEqual(request?.signature, signature);
      assert.deepEqual([request?.index, request?.kind, request?.address, request?.host], [4, 'http', undefined, 'h']);
    }
  });

  it('has no requests where a tape has none', () => {
    const index = readRequestIndex(writeRequestIndex({ requests: [], sketches: new Map() }));
    assert.deepEqual(
      index?.requests(() => ({ body: null })),
      [],
    );
    assert.deepEqual(index.withKey(''), []);
  });

  it('reads nothing from a file of another kind, nor one that was cut off', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => assert.equal(readRequestIndex(bytes), undefined)),
    );
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const head = new TextEncoder().encode(JSON.stringify(value));
        const bytes = Uint8Array.from([head.length, head.length >> 8, 0, 0, 0, 0, 0, 0, ...head, ...Array(8).fill(0)]);
        assert.equal(readRequestIndex(bytes), undefined);
      }),
    );
    const signature = { key: 'k', plainKey: 'k', address: 'a', messages: [1], tools: [], settings: [] };
    const bytes = writeRequestIndex({ requests: [{ index: 0, kind: 'llm', signature }], sketches: new Map() });
    for (let length = 0; length < bytes.length; length += 1)
      assert.equal(readRequestIndex(bytes.subarray(0, length)), undefined);
  });
});

function bodyOf({ requestBody }: HttpExchange): Body {
  return JSON.parse(requestBody.type === 'text' ? requestBody.text : '{}') as Body;
}

function encode(body: Body): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(body));
}

function said(matcher: RequestMatcher, request: WireRequest): unknown {
  const taken = matcher.take(request);
  return 'explain' in taken ? { ...taken, explain: taken.explain() } : taken;
}
