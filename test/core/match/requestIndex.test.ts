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
        const text = writeRequestIndex({ requests, sketches });
        const index = readRequestIndex(text);
        assert.deepEqual(index, { requests, sketches });
        assert.ok(!text.includes('refund') && !text.includes('careful'), 'no text of a request');
        let reads = 0;
        const wire = (at: number) => () => {
          reads += 1;
          return comparableFromExchange(interactions[at]?.http ?? assert.fail());
        };
        const indexed = createMatcher(
          index.requests.map((request) => ({ ...request, wire: wire(request.index) })),
          rules,
          index.sketches,
        );
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

  it('reads nothing from a file of another kind', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void readRequestIndex(JSON.stringify(value))));
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (row) => {
        const written = { names: ['n'], digests: [1], sketches: [null], requests: [row] };
        const index = readRequestIndex(JSON.stringify(written));
        for (const { signature } of index?.requests ?? []) assert.equal(typeof signature.key, 'string');
      }),
    );
    assert.equal(readRequestIndex('{'), undefined);
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
