import assert from 'node:assert/strict';
import type { Json } from '../../../src/core/json/json';
import { differenceLine, driftLine } from '../../../src/core/match/driftLine';
import { maskedThings } from '../../../src/core/match/maskWords';
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
  it('is the words that differ, between a few that do not', () => {
    const body = { ...RECORDED, messages: [message('system', 'Today is 2026-11-23'), user] };
    const recorded = { ...RECORDED, messages: [message('system', 'Today is 2026-11-22'), user] };
    const today = { address: 'POST /chat/completions', body: recorded };
    const matcher = createMatcher([{ index: 0, kind: 'llm', wire: () => today }], { match: 'exact', masks: [] });
    const sent = new TextEncoder().encode(JSON.stringify(body));
    const missed = matcher.take({ method: 'POST', url: '/v1/chat/completions', headers: [], body: sent });
    assert.ok('explain' in missed);
    assert.equal(driftLine(missed.explain()), 'Today is 2026-11-[-22-]{+23+}');
    const long = { ...RECORDED, messages: [system, message('user', 'Where is order 18?')] };
    assert.equal(lineFor(long), 'Where is order [-17-]{+18+}?');
  });

  it('has little of the text before the change, and all that follows where there is room for it', () => {
    const order = (prompt: string, day: number, end: string) => ({
      ...RECORDED,
      messages: [system, message('user', `${prompt}Today is 2026-11-${day}. Can I return order ${end}?`)],
    });
    const line = (prompt: string, end: string): string => {
      const wire = () => ({ address: 'POST /chat/completions', body: order(prompt, 22, end) });
      const matcher = createMatcher([{ index: 0, kind: 'llm', wire }], { match: 'exact', masks: [] });
      const body = new TextEncoder().encode(JSON.stringify(order(prompt, 23, end)));
      const missed = matcher.take({ method: 'POST', url: '/v1/chat/completions', headers: [], body });
      assert.ok('explain' in missed);
      return driftLine(missed.explain());
    };
    const whole = 'Today is 2026-11-[-22-]{+23+}. Can I return order ORD-1123?';
    assert.equal(line('', 'ORD-1123'), whole);
    assert.equal(line('You are helpful. ', 'ORD-1123'), `You are helpful. ${whole}`);
    assert.equal(line('You are helpful and polite, and know the shop. ', 'ORD-1123'), `… ${whole}`);
    assert.equal(line('', '12 '.repeat(60)).endsWith('…'), true);
  });

  it('names the model first, and counts what else differs', () => {
    const body = { ...RECORDED, model: 'gpt-5', temperature: 1, messages: [system, message('user', 'Where is it?')] };
    assert.equal(lineFor(body), 'model: gpt-4o → gpt-5 (and 2 more changes)');
    assert.equal(lineFor({ ...RECORDED, temperature: 1 }), 'parameter temperature: 0 → 1');
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
  it('is named as in "Mask dates"', () => {
    assert.equal(maskedThings(['date']), 'dates');
    assert.equal(maskedThings(['date', 'uuid']), 'dates and UUIDs');
    assert.equal(maskedThings(['date', 'uuid', '/metadata/session_id']), 'dates, UUIDs, and session_id');
  });
});

describe('a difference in one line', () => {
  it('is the changed part of the text, in one piece', () => {
    assert.equal(differenceLine('Output', 'one', 'two'), 'Output: [-one-]{+two+}');
    assert.equal(
      differenceLine(
        'Output',
        'Hello! How can I help you today?',
        'Hello! I can look up orders. What can I do for you?',
      ),
      'Output: Hello! [-How can I help you today-]{+I can look up orders. What can I do for you+}?',
    );
    assert.equal(differenceLine('Tool call', '', '{\n  "order": 1\n}'), 'Tool call: {+{ "order": 1 }+}');
  });
});
