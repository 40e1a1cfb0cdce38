import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TalkReplay } from '../../../src/core/match/talkReplay';
import { createRedactor } from '../../../src/core/secrets/redactor';
import { type Talk, type TalkMessage, talkBody, talkOf } from '../../../src/core/wire/realtime/talk';

const KEY = 'sk-ant-api03-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY';
const redactor = createRedactor({ values: [KEY], environments: [], proxies: [], patterns: [] });
const typed = (text: string): TalkMessage => ({ from: 'client', data: JSON.stringify({ text }) });

function onTape(...texts: string[]): Talk {
  const exchange = {
    ...({ method: 'GET', url: 'wss://a/b', requestHeaders: [], requestBody: { type: 'none' }, status: 101 } as const),
    responseHeaders: [],
    responseBody: talkBody({ messages: texts.map(typed), close: { from: 'client', code: 1000, reason: '' } }),
  };
  return talkOf(redactor.exchange(exchange)?.exchange ?? assert.fail()) ?? assert.fail();
}

/** How a replay takes the texts, each hidden as far as it tells by itself. */
function drifts(talk: Talk, ...texts: string[]): number | undefined {
  const replay = new TalkReplay([{ index: 0, talk }], { carrier: 'websocket', path: '/b' }, { masks: [] });
  replay.start();
  for (const text of texts) {
    const step = replay.sent({ data: redactor.text(JSON.stringify({ text })) });
    if ('drifted' in step) return step.drifted.number;
  }
  return undefined;
}

describe('a secret that a client spreads over messages', () => {
  it('is no drift, however it is cut, and what is said around it still is', () => {
    const cut = fc.integer({ min: 1, max: KEY.length - 1 });
    const around = fc.constantFrom('', 'my key is ', 'x');
    fc.assert(
      fc.property(cut, cut, around, around, (one, other, before, after) => {
        const [first, second] = [Math.min(one, other), Math.max(one, other)];
        const pieces = [`${before}${KEY.slice(0, first)}`, KEY.slice(first, second), `${KEY.slice(second)}${after}`];
        const talk = onTape(...pieces, 'and so on');
        assert.ok(
          !talk.messages
            .map(({ data }) => (JSON.parse(data) as { text: string }).text)
            .join('')
            .includes(KEY),
        );
        assert.equal(drifts(talk, ...pieces, 'and so on'), undefined);
        assert.equal(drifts(talk, ...pieces, 'and no more'), 4);
        if (before.length > 1) assert.equal(drifts(talk, `your${pieces[0]?.slice(2)}`, ...pieces.slice(1)), 1);
      }),
    );
  });

  it('hides nothing where there is none', () => {
    const talk = onTape('a', '', 'b');
    assert.equal(drifts(talk, 'a', 'c'), 2);
    assert.equal(drifts(talk, 'a', '', 'ab'), 3);
    assert.equal(drifts(talk, 'a', '', 'b'), undefined);
  });
});
