import assert from 'node:assert/strict';
import type { Json } from '../../../src/core/json/json';
import { differenceLine, driftLine } from '../../../src/core/match/driftLine';
import { maskedThings, maskTitle } from '../../../src/core/match/maskWords';
import { createMatcher } from '../../../src/core/match/matcher';

const message = (role: string, content: string): Json => ({ role, content });
const RECORDED = {
  model: 'gpt-4o',
  temperature: 0,
  messages: [
    message('system', 'You help the customers of a book shop. Today is 2026-11-22'),
    message('user', 'Where is order 17?'),
  ],
};

/** The line about a request, of a tape that has the one above, and has served it so many times before. */
function lineFor(body: Json, served = 0): string {
  const request = (sent: Json) => ({
    method: 'POST',
    url: '/v1/chat/completions',
    headers: [],
    body: new TextEncoder().encode(JSON.stringify(sent)),
  });
  const wire = () => ({ address: 'POST /chat/completions', body: RECORDED });
  const matcher = createMatcher([{ index: 0, kind: 'llm', wire }], { match: 'exact', masks: [] });
  for (let times = 0; times < served; times += 1) matcher.take(request(RECORDED));
  const missed = matcher.take(request(body));
  assert.ok('explain' in missed);
  return driftLine(missed.explain());
}

const [system = null, user = null] = RECORDED.messages;

describe('a drift in one line', () => {
  it('is the words that differ, whole, and who says them', () => {
    const body = { ...RECORDED, messages: [message('system', 'Today is 2026-11-23'), user] };
    const recorded = { ...RECORDED, messages: [message('system', 'Today is 2026-11-22'), user] };
    const today = { address: 'POST /chat/completions', body: recorded };
    const matcher = createMatcher([{ index: 0, kind: 'llm', wire: () => today }], { match: 'exact', masks: [] });
    const sent = new TextEncoder().encode(JSON.stringify(body));
    const missed = matcher.take({ method: 'POST', url: '/v1/chat/completions', headers: [], body: sent });
    assert.ok('explain' in missed);
    assert.equal(driftLine(missed.explain()), 'system: 2026-11-22 → 2026-11-23');
    const long = { ...RECORDED, messages: [system, message('user', 'Where is order 18?')] };
    assert.equal(lineFor(long), 'user: 17 → 18');
  });

  it('is without a notation, whatever was changed', () => {
    const sent = (content: string) => lineFor({ ...RECORDED, messages: [system, message('user', content)] });
    assert.equal(sent('Where is order 17? Please.'), 'user: added, "Please."');
    assert.equal(sent('Where is 17?'), 'user: removed, was "order"');
    assert.equal(sent('Where is order 17!'), 'user: 17? → 17!');
    assert.equal(sent('訂單在哪裡?'), 'user: Where is order 17 → 訂單在哪裡');
    assert.match(sent(`Where is ${'the order that I made '.repeat(9)}?`), /^user: order 17 → the order .*….*made$/);
    assert.equal(lineFor({ ...RECORDED, stop: ['a b', 'c d'] }), 'parameter stop: added, ["a b","c d"]');
  });

  it('names the model first, and what else differs', () => {
    const body = { ...RECORDED, model: 'gpt-5', temperature: 1, messages: [system, message('user', 'Where is it?')] };
    assert.equal(lineFor(body), 'model: gpt-4o → gpt-5; user: order 17 → it; parameter temperature: 0 → 1');
    assert.equal(lineFor({ ...RECORDED, temperature: 1 }), 'parameter temperature: 0 → 1');
    const more = { ...body, top_p: 0.5, seed: 1 };
    assert.match(lineFor(more), /^model: gpt-4o → gpt-5; user: order 17 → it; .* \(and 2 more changes\)$/);
  });

  it('says what was added or removed', () => {
    assert.equal(
      lineFor({ ...RECORDED, messages: [system, user, message('user', 'And\nnow?')] }),
      'Added user message: "And\\nnow?"',
    );
    assert.equal(lineFor({ ...RECORDED, messages: [user] }).slice(0, 39), 'Removed system message: "You help the c');
  });

  it('says that a request was sent again, or that nothing like it was recorded', () => {
    assert.equal(lineFor(RECORDED, 1), 'The agent repeated a request that was recorded only once');
    const other = { model: 'x', messages: [message('assistant', 'A song')] };
    assert.equal(lineFor(other), 'No recording resembles this request');
  });

  it('is one line of at most 200 characters', () => {
    const body = { ...RECORDED, messages: [system, user, message('user', 'x\n'.repeat(900))] };
    const line = lineFor(body);
    assert.ok(line.length <= 201 && !line.includes('\n'), line);
  });
});

describe('what masks cover', () => {
  it('is named as in "Masked dates", and in the title of a command', () => {
    assert.equal(maskedThings(['date']), 'dates');
    assert.equal(maskedThings(['date', 'uuid']), 'dates and UUIDs');
    assert.equal(maskedThings(['date', 'uuid', '/metadata/session_id']), 'dates, UUIDs, and session_id');
    assert.equal(maskTitle(['date']), 'Mask Dates');
    assert.equal(maskTitle(['provider-id', '/metadata/session_id']), 'Mask Provider IDs and session_id');
    assert.equal(maskTitle(['tool-order']), 'Mask the Order of Tools');
  });
});

describe('a difference in one line', () => {
  it('is the changed part of the text, in one piece', () => {
    assert.equal(differenceLine('Output', 'one', 'two'), 'Output: one → two');
    assert.equal(
      differenceLine(
        'Output',
        'Hello! How can I help you today?',
        'Hello! I can look up orders. What can I do for you?',
      ),
      'Output: How can I help you today → I can look up orders. What can I do for you',
    );
    assert.equal(differenceLine('Tool call', '', '{\n  "order": 1\n}'), 'Tool call: { "order": 1 }');
  });
});
