import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../src/core/json/json';
import { applyMasks, formatMask, parseMask } from '../../../src/core/match/masks';
import { createMatcher } from '../../../src/core/match/matcher';
import { recordedRequests } from '../../../src/core/match/recordings';
import type { Mask, MatchMode, OnDrift } from '../../../src/core/model/case';
import type { ChatRequest } from '../../../src/core/model/message';
import type { TapeFormat } from '../../../src/core/tapes/format';
import { checkagentFormat } from '../../../src/core/tapes/formats/checkagent/index';
import { mofaFormat } from '../../../src/core/tapes/formats/mofa/index';
import { reynFormat } from '../../../src/core/tapes/formats/reyn/index';
import { tapedeckFormat } from '../../../src/core/tapes/formats/tapedeck/index';
import { vcrpyFormat } from '../../../src/core/tapes/formats/vcrpy/index';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';

const masks = (...texts: string[]): readonly Mask[] =>
  texts.map((text) => parseMask(text)).filter((mask) => mask !== undefined);
const asked = (content: string, more: Partial<ChatRequest> = {}): ChatRequest => ({
  model: 'gpt-4o',
  messages: [{ role: 'user', content, toolCalls: [] }],
  tools: [],
  params: {},
  ...more,
});

/** A matcher over a tape of this format with these requests, as its recorder writes them. */
function over(
  format: TapeFormat,
  match: MatchMode,
  requests: readonly ChatRequest[],
  declared: readonly Mask[] = [],
  onDrift: OnDrift = 'fail',
) {
  const response = { content: 'x', toolCalls: [] };
  const text =
    format.serialise?.(
      't',
      requests.map((request) => ({ request, response })),
    ) ?? '';
  return createMatcher(recordedRequests(format.read(tapeFileFromText(text)), format), {
    match,
    onDrift,
    masks: declared,
    format,
  });
}

describe('the ways to match', () => {
  const ONE_TO_THREE = [asked('one'), asked('two'), asked('three')];

  it('in a sequence serve by position where drifts pass, and tell what is not as recorded', () => {
    const tape = over(mofaFormat, 'sequence', ONE_TO_THREE, [], 'warn');
    assert.deepEqual(tape.take(asked('one')), { kind: 'exact', index: 0 });
    const moved = tape.take(asked('three'));
    assert.deepEqual([moved.kind, 'index' in moved && moved.index], ['differs', 1]);
    assert.equal('explain' in moved && moved.explain().kind, 'out-of-order');
    const changed = tape.take(asked('four'));
    assert.deepEqual([changed.kind, 'index' in changed && changed.index], ['differs', 2]);
    assert.equal('explain' in changed && changed.explain().kind, 'drifted');
    assert.equal(tape.take(asked('one')).kind, 'used-up');
  });

  it('in a sequence refuse what is not the next request, and explain it by the one whose turn it is', () => {
    const tape = over(mofaFormat, 'sequence', ONE_TO_THREE);
    const early = tape.take(asked('two'));
    assert.deepEqual([early.kind, 'explain' in early && early.explain().kind], ['drifted', 'out-of-order']);
    assert.deepEqual(tape.take(asked('one')), { kind: 'exact', index: 0 });
    const changed = tape.take(asked('twelve'));
    assert.equal(changed.kind, 'drifted');
    assert.deepEqual('explain' in changed && changed.explain().nearest, { index: 1, used: false });
    assert.deepEqual(tape.take(asked('two')), { kind: 'exact', index: 1 });
    assert.deepEqual(tape.unused(), [2]);
  });

  it('serve the nearest recording that is left where drifts pass, and each only once', () => {
    const words = ['the weather in Oslo', 'the price of a ticket to Bergen', 'the name of the king'];
    const tape = over(
      tapedeckFormat,
      'exact',
      words.map((text) => asked(text)),
      [],
      'warn',
    );
    assert.deepEqual(tape.take(asked(words[1] ?? '')), { kind: 'exact', index: 1 });
    const near = tape.take(asked('the name of the queen'));
    assert.deepEqual([near.kind, 'index' in near && near.index], ['differs', 2]);
    const last = tape.take(asked('the name of the king'));
    assert.deepEqual([last.kind, 'index' in last && last.index], ['differs', 0]);
    assert.equal('index' in tape.take(asked('more')), false, 'nothing is left');
  });

  it('serve the equal recording, else the next one, where that is the rule of the recorder', () => {
    const tape = over(vcrpyFormat, 'exact', ONE_TO_THREE, [], 'warn');
    assert.deepEqual(tape.take(asked('two')), { kind: 'exact', index: 1 });
    for (const [prompt, index] of [
      ['three times', 0],
      ['one more', 2],
    ] as const) {
      const taken = tape.take(asked(prompt));
      assert.deepEqual([taken.kind, 'index' in taken && taken.index], ['differs', index]);
    }
  });

  it('cannot compare requests that a tape does not have, and say so', () => {
    const text = JSON.stringify({ case_name: 'c', interactions: [{ response: { content: 'hello' } }] });
    const recorded = recordedRequests(mofaFormat.read(tapeFileFromText(text)), mofaFormat);
    const tape = createMatcher(recorded, { match: 'sequence', masks: [], format: mofaFormat });
    assert.deepEqual(tape.take(asked('anything')), { kind: 'unchecked', index: 0 });
    assert.equal(tape.isNext(asked('anything'), 'other'), false);
  });

  it('as a subset serve requests that say more, but not other messages', () => {
    const tape = over(mofaFormat, 'subset', [asked('one', { params: { temperature: 0 } }), asked('two')]);
    assert.deepEqual(tape.take(asked('two', { params: { max_tokens: 5 } })), { kind: 'masked', index: 1 });
    assert.equal(tape.take(asked('one')).kind, 'drifted');
    assert.deepEqual(tape.take(asked('one', { params: { temperature: 0, max_tokens: 5 } })), {
      kind: 'masked',
      index: 0,
    });
  });

  it("go by Reyn's and CheckAgent's own keys", () => {
    for (const [format, match] of [
      [reynFormat, 'keyed'],
      [checkagentFormat, 'keyed'],
      [reynFormat, 'recorder'],
      [checkagentFormat, 'recorder'],
    ] as const) {
      const tape = over(format, match, [asked('one'), asked('two')]);
      assert.deepEqual(tape.take(asked('two')), { kind: 'exact', index: 1 }, format.id);
      assert.equal('index' in tape.take(asked('three')), false, format.id);
      assert.deepEqual(tape.unused(), [0]);
    }
  });

  it('serve the last recording again only where that is asked for', () => {
    const [recording] = [asked('one')];
    const recorded = recordedRequests(
      mofaFormat.read(
        tapeFileFromText(
          mofaFormat.serialise('t', [{ request: recording, response: { content: 'x', toolCalls: [] } }]),
        ),
      ),
      mofaFormat,
    );
    const tape = createMatcher(recorded, { match: 'exact', masks: [], format: mofaFormat, repeat: true });
    for (let time = 0; time < 3; time += 1) assert.deepEqual(tape.take(asked('one')), { kind: 'exact', index: 0 });
  });
});

describe('masks', () => {
  const covered: Record<string, readonly (readonly [string, string])[]> = {
    uuid: [['id 123e4567-e89b-12d3-a456-426614174000.', 'id 9b2e4567-e89b-12d3-a456-42661417ffff.']],
    timestamp: [
      ['at 2026-04-04T14:22:00Z', 'at 2026-11-22T01:10:59.123Z'],
      ['Current Time 2026-04-04 14:22 (x)', 'Current Time 2025-12-31 09:00 (x)'],
      ['created 1775312520', 'created 1795312520'],
    ],
    date: [
      ['on 2026-04-04.', 'on 2025-01-31.'],
      ['Saturday, April 4, 2026', 'Sunday, November 22, 2026'],
    ],
    'temp-path': [
      ['/tmp/mofa-agent-test-019d58df/x.txt', '/tmp/mofa-agent-test-77/x.txt'],
      ['C:\\Users\\a\\AppData\\Local\\Temp\\q1\\x', 'C:\\Users\\b\\AppData\\Local\\Temp\\q2\\x'],
    ],
    port: [['http://127.0.0.1:41233/v1', 'http://127.0.0.1:9/v1'.replace(':9', ':8080')]],
    'provider-id': [['chatcmpl-BxYz12345678', 'chatcmpl-AAbb87654321']],
  };
  for (const [name, pairs] of Object.entries(covered))
    it(`of ${name} cover what differs from run to run`, () => {
      for (const [left, right] of pairs)
        assert.deepEqual(applyMasks(left, masks(name)), applyMasks(right, masks(name)), left);
    });

  it('keep what is below a temporary folder, and what is no such value', () => {
    assert.equal(applyMasks('/tmp/abc/report.txt', masks('temp-path')), '<temp-path>/report.txt');
    const plain = 'Call get_weather_forecast for order 17 in room 2026, version 1.2.3, ratio 16:9.';
    assert.equal(applyMasks(plain, masks('provider-id', 'uuid', 'timestamp', 'date', 'temp-path', 'port')), plain);
  });

  it('cover places, through lists and with any member', () => {
    const body: Json = { user: 'a', metadata: { run: 1, who: 'b' }, messages: [{ content: 'x' }, { content: 'y' }] };
    assert.deepEqual(applyMasks(body, masks('/metadata/*', '/messages/1/content')), {
      user: 'a',
      messages: [{ content: 'x' }, {}],
    });
  });

  it('are read as they are written', () => {
    const path = fc.array(fc.string({ minLength: 1 }), { minLength: 1 });
    fc.assert(
      fc.property(path, (keys) => {
        const text = formatMask({ type: 'path', path: keys });
        assert.deepEqual(parseMask(text), { type: 'path', path: keys });
      }),
    );
    assert.equal(parseMask('everything'), undefined);
  });

  it('never make two requests one that differ in a word', () => {
    const word = fc.stringMatching(/^[a-z]{3,12}$/);
    const all = masks('provider-id', 'uuid', 'timestamp', 'date', 'temp-path', 'port');
    fc.assert(
      fc.property(word, word, (left, right) => {
        fc.pre(left !== right);
        const tape = over(mofaFormat, 'exact', [asked(`Say ${left} now`)], all);
        assert.equal('index' in tape.take(asked(`Say ${right} now`)), false);
      }),
      { numRuns: 50 },
    );
  });
});
