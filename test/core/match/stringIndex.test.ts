import assert from 'node:assert/strict';
import { sha256Hex } from '../../../src/core/hash/digest';
import type { WireRequest } from '../../../src/core/match/comparableRequest';
import { createMatcher, type RequestMatcher } from '../../../src/core/match/matcher';
import { type RecordedRequest, recordedRequests } from '../../../src/core/match/recordings';
import { StringIndex } from '../../../src/core/match/stringIndex';
import type { HttpExchange } from '../../../src/core/model/http';
import type { Interaction } from '../../../src/core/model/interaction';
import { randomOf } from '../../harness/random.mjs';
import { generatedTapes } from './generatedTapes';
import { type Body, seedDrift } from './seededDrifts';

const COPIES = 10;
const DRIFTS = 15;
const RULES = { match: 'exact', masks: [], hash: sha256Hex } as const;

describe('The strings of a tape’s requests', () => {
  for (const { name, interactions } of generatedTapes())
    it(`say which recordings to read: ${name}`, () => {
      const all = manyOf(interactions);
      const recorded = recordedRequests({ format: 'vcrpy', interactions: all, problems: [] }, {});
      const whole = createMatcher(recorded, RULES);
      const read = new Set<number>();
      const few = createMatcher(recorded.map(counting(read)), RULES, stringsOf(all));
      const random = randomOf(7);
      const reads: number[] = [];
      for (let drift = 0; drift < DRIFTS; drift += 1) {
        const http = all[random(all.length)]?.http ?? assert.fail();
        const body = bodyOf(http);
        const changed = random(4) === 0 ? body : (seedDrift(body, random)?.body ?? body);
        const request = { method: http.method, url: http.url, headers: [], body: encode(changed) };
        read.clear();
        assert.deepEqual(said(few, request), said(whole, request));
        reads.push(read.size);
      }
      assert.ok(Math.max(...reads) < all.length / 2, `of ${all.length}, ${Math.max(...reads)} were read`);
    });

  const NUMBERS = Array.from({ length: 200 }, (_, at) => at);

  it('find what means the same: with other ids of calls, at a default, in another order', () => {
    const bodies = NUMBERS.map((at) => conversation(`call_${at}`, at));
    const strings = new StringIndex();
    for (const at of NUMBERS) strings.add(at, JSON.stringify(bodies[at]));
    const { messages, ...others } = conversation('toolu_other_9', 150);
    const sent = JSON.stringify({ temperature: 1, ...others, messages, user: null }, null, 2);
    assert.ok(strings.candidates(sent, NUMBERS).has(150));
    assert.ok(strings.candidates(sent, NUMBERS).size < 60);
  });

  it('find the nearest of many that differ in a number, or a true, alone', () => {
    const body = (at: number, city = 'Oslo') => ({
      messages: [{ role: 'user', content: `What is the weather in ${city} on a day like this one?` }],
      seed: at,
      deep: { isOdd: at % 2 === 1, list: [{ limit: at * 2.5 }] },
    });
    const strings = new StringIndex();
    for (const at of NUMBERS) strings.add(at, JSON.stringify(body(at)));
    const found = strings.candidates(JSON.stringify({ ...body(150, 'Bergen'), seed: 7 }, null, 1), NUMBERS);
    assert.ok(found.has(150) && found.has(7));
  });

  it('find all that means the same, however many', () => {
    const strings = new StringIndex();
    for (const at of NUMBERS) strings.add(at, JSON.stringify(conversation(`call_${at}`, 1)));
    assert.deepEqual([...strings.candidates(JSON.stringify(conversation('other', 1)), NUMBERS)].length, 200);
  });

  it('find a long text of which a word in the middle is another one', () => {
    const strings = new StringIndex();
    const said = (at: number, word = 'kettle') =>
      JSON.stringify({
        messages: [{ content: `${'Be brief. '.repeat(400)}The ${word} of ${at * 7919}. ${'Thank you. '.repeat(400)}` }],
      });
    for (const at of NUMBERS) strings.add(at, said(at));
    assert.ok(strings.candidates(said(170, 'lamp'), NUMBERS).has(170));
  });

  it('leave out nothing whose body is no JSON', () => {
    const strings = new StringIndex();
    for (const at of NUMBERS)
      strings.add(at, at % 2 === 0 ? `name=order&number=${at}` : JSON.stringify({ number: `${at}` }));
    const found = strings.candidates('{"name":"order","number":"17"}', NUMBERS);
    assert.ok(NUMBERS.filter((at) => at % 2 === 0).every((at) => found.has(at)));
  });
});

function conversation(id: string, at: number) {
  return {
    model: 'gpt-4o',
    messages: [
      { role: 'user', content: `Where is the order with the number ${at * 31}?` },
      { role: 'assistant', tool_calls: [{ id, type: 'function', function: { name: 'get_order', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: id, content: 'On its way, and expected for Monday.' },
    ],
  };
}

/** Copies of a tape, each about a case of its own. */
function manyOf(interactions: readonly Interaction[]): readonly Interaction[] {
  const copies = Array.from({ length: COPIES }, (_, copy) =>
    interactions.map(({ http, ...others }) => {
      assert.ok(http?.requestBody.type === 'text');
      const text = http.requestBody.text.replace(/"(text|content)":"(?!You are)([^"]+)"/g, `"$1":"$2 Case ${copy}."`);
      return { ...others, http: { ...http, requestBody: { type: 'text', text } as const } };
    }),
  );
  return copies.flat().map((interaction, index) => ({ ...interaction, index }));
}

function stringsOf(interactions: readonly Interaction[]): StringIndex {
  const strings = new StringIndex();
  for (const { index, http } of interactions)
    if (http?.requestBody.type === 'text') strings.add(index, http.requestBody.text);
  return strings;
}

function counting(read: Set<number>): (recorded: RecordedRequest) => RecordedRequest {
  return (recorded) => ({
    ...recorded,
    wire: () => {
      read.add(recorded.index);
      return recorded.wire?.() ?? assert.fail();
    },
  });
}

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
