import assert from 'node:assert/strict';
import type { JsonRecord } from '../../../src/core/json/json';
import { type Json, prettyJson } from '../../../src/core/json/json';
import type { WireRequest } from '../../../src/core/match/comparableRequest';
import { driftLine } from '../../../src/core/match/driftLine';
import { formatDrift } from '../../../src/core/match/formatDrift';
import { formatMask, parseMask } from '../../../src/core/match/masks';
import { createMatcher } from '../../../src/core/match/matcher';
import { recordedRequests } from '../../../src/core/match/recordings';
import type { MatchMode, OnDrift } from '../../../src/core/model/case';
import type { Interaction } from '../../../src/core/model/interaction';

function wire(body: Json, url = '/v1/chat/completions'): WireRequest {
  return { method: 'POST', url, headers: [], body: new TextEncoder().encode(prettyJson(body)) };
}

/** A tape of calls with these bodies; a text is a body as it stands. */
function recorded(...bodies: Json[]): Interaction[] {
  return bodies.map((body, index) => ({
    index,
    kind: 'llm',
    http: {
      method: 'POST',
      url: 'https://api.example.com/openai/v1/chat/completions',
      requestHeaders: [],
      requestBody: { type: 'text', text: typeof body === 'string' ? body : JSON.stringify(body) },
      status: 200,
      responseHeaders: [],
      responseBody: { type: 'none' },
    },
    source: { start: 0, end: 0 },
  }));
}

function matcher(
  interactions: readonly Interaction[],
  match: MatchMode = 'exact',
  masks: readonly string[] = [],
  onDrift: OnDrift = 'fail',
) {
  const tape = { format: 'vcrpy' as const, interactions, problems: [] };
  const declared = masks.flatMap((mask) => parseMask(mask) ?? []);
  return createMatcher(recordedRequests(tape, {}), { match, onDrift, masks: declared });
}

function chat(content: string, more: Record<string, Json> = {}): Record<string, Json> {
  return {
    model: 'gpt-4o',
    messages: [
      { role: 'system', content: 'You answer in one sentence.' },
      { role: 'user', content },
    ],
    ...more,
  };
}

describe('matching exactly', () => {
  it('is free of key order, white space and the host', () => {
    const { model, messages } = chat('Hi');
    const taken = matcher(recorded(chat('Hi'))).take(wire({ messages, model } as Json));
    assert.deepEqual(taken, { kind: 'exact', index: 0 });
  });

  it('is free of the boundary of a form, also where the tape has no headers of requests', () => {
    const form = (boundary: string, text: string) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="f"; filename="a"\r\n\r\n${text}\r\n--${boundary}--\r\n`;
    const tape = recorded(form('one-1234', 'Hi'), form('two-1234', 'Ho'));
    const send = (text: string) => {
      const headers = [['content-type', 'multipart/form-data; boundary=new-5678']] as const;
      return matcher(tape).take({ ...wire({}), headers, body: new TextEncoder().encode(form('new-5678', text)) });
    };
    assert.deepEqual(send('Ho'), { kind: 'exact', index: 1 });
    assert.equal(send('He').kind, 'drifted');
  });

  it('serves equal requests first in, first out, and each lane all of them', () => {
    const tape = matcher(recorded(chat('a'), chat('b'), chat('a')));
    const indexes = ['a', 'b', 'a'].map((content) => tape.take(wire(chat(content))));
    assert.deepEqual(indexes, [
      { kind: 'exact', index: 0 },
      { kind: 'exact', index: 1 },
      { kind: 'exact', index: 2 },
    ]);
    assert.equal(tape.take(wire(chat('a'))).kind, 'used-up');
    assert.deepEqual(tape.take(wire(chat('a')), 'second'), { kind: 'exact', index: 0 });
    assert.deepEqual(tape.unused(), []);
    assert.deepEqual(tape.unused('second'), [1, 2]);
  });

  it('tells integers beyond 2^53 apart', () => {
    const body = (seed: string) => `{"model":"m","messages":[],"seed":${seed}}`;
    const tape = matcher(recorded(body('9007199254740993')));
    const bytes = (seed: string) => ({ ...wire(null), body: new TextEncoder().encode(body(seed)) });
    assert.equal(tape.take(bytes('9007199254740992')).kind, 'drifted');
    assert.equal(tape.take(bytes('9007199254740993')).kind, 'exact');
  });
});

describe('an explanation', () => {
  it('names the parts that differ', () => {
    const tape = matcher(recorded(chat('Where is order 17?'), chat('Something else altogether, about the weather.')));
    const missed = tape.take(wire(chat('Where is order 18?', { temperature: 0.7, model: 'gpt-4o-mini' })));
    assert.equal(missed.kind, 'drifted');
    assert.ok('explain' in missed);
    assert.equal(
      formatDrift(missed.explain(), {
        tape: 'refund.yaml',
        rerecord: 'Record it again: tapedeck run refund.toml --record',
      }),
      [
        'this request is not on refund.yaml: it differs from interaction 1 in 3 places, such as model: gpt-4o → gpt-4o-mini',
        '  model: gpt-4o-mini',
        '  last user message: "Where is order 18?"',
        '  nearest recording: interaction 1',
        '    model: gpt-4o → gpt-4o-mini',
        '    parameter temperature: added, 0.7',
        '    message 2 (user) edited: "Where is order [-17-]{+18+}?"',
        '  Record it again: tapedeck run refund.toml --record',
      ].join('\n'),
    );
  });

  it('proposes the mask that would do', () => {
    const tape = matcher(recorded(chat('Now it is 2026-04-04 14:22. Go.')));
    const missed = tape.take(wire(chat('Now it is 2026-11-22 01:10. Go.')));
    assert.ok('explain' in missed);
    assert.deepEqual(missed.explain().masks.map(formatMask), ['timestamp']);
    const masked = matcher(recorded(chat('Now it is 2026-04-04 14:22. Go.')), 'exact', ['timestamp']);
    assert.deepEqual(masked.take(wire(chat('Now it is 2026-11-22 01:10. Go.'))), { kind: 'masked', index: 0 });
  });

  it('proposes no mask for what a test is about: messages, models, tools', () => {
    const masksFor = (before: Json, after: Json): readonly string[] | undefined => {
      const missed = matcher(recorded(before)).take(wire(after));
      return 'explain' in missed ? missed.explain().masks.map(formatMask) : undefined;
    };
    const tool = (description: string) => ({
      tools: [{ type: 'function', function: { name: 'refund', description } }],
    });
    assert.deepEqual(masksFor(chat('Refund order 17 now'), chat('Delete all orders')), []);
    assert.deepEqual(masksFor(chat('Hi'), chat('Hi', { model: 'gpt-4o-mini' })), []);
    assert.deepEqual(masksFor(chat('Hi', tool('Pays back.')), chat('Hi', tool('Keeps the money.'))), []);
    assert.deepEqual(masksFor(chat('Hi', { temperature: 0 }), chat('Hi', { temperature: 1 })), []);
    assert.deepEqual(masksFor(chat('On 2026-04-04: refund 17'), chat('On 2026-11-22: delete all')), []);
  });

  it('proposes the path of a parameter that identifies a call or its user', () => {
    const missed = matcher(recorded(chat('Hi', { user: 'ann', metadata: { sessionId: 'x1' } }))).take(
      wire(chat('Hi', { user: 'bob', metadata: { sessionId: 'y2' } })),
    );
    assert.ok('explain' in missed);
    assert.deepEqual(missed.explain().masks.map(formatMask).sort(), ['/metadata/sessionId', '/user']);
  });

  it('proposes no mask beside a message that has moved, since none would do', () => {
    const said = (...texts: string[]) => ({
      model: 'gpt-4o',
      user: texts[0] ?? '',
      messages: texts.map((content) => ({ role: 'user', content })),
    });
    const missed = matcher(recorded(said('Born on 2026-04-04', 'two', 'three'))).take(
      wire(said('two', 'three', 'Born on 2026-11-22')),
    );
    assert.ok('explain' in missed);
    assert.deepEqual(missed.explain().masks, []);
    const onlyMoved = matcher(recorded({ ...said('one', 'two', 'three'), user: 'ann' })).take(
      wire({ ...said('two', 'three', 'one'), user: 'bob' }),
    );
    assert.ok('explain' in onlyMoved);
    assert.deepEqual(onlyMoved.explain().masks, []);
  });
});

describe('the nearest recording', () => {
  const nearest = (prompts: readonly string[], now: Json): number | undefined => {
    const missed = matcher(recorded(...prompts.map((prompt) => chat(prompt)))).take(wire(now));
    return 'explain' in missed ? missed.explain().nearest?.index : undefined;
  };

  it('is the one with the closest text, not the first of those that differ in as many places', () => {
    const siblings = ['Refund order 17 for Ann', 'Refund order 18 for Bob', 'Refund order 19 for Cleo'];
    for (const [index, prompt] of siblings.entries()) assert.equal(nearest(siblings, chat(`${prompt}, please`)), index);
    assert.equal(nearest(siblings, chat('Refund order 18 for Rob')), 1);
    assert.equal(
      nearest(['Translate to Norwegian: sea', 'Translate to Norwegian: boat'], chat('Translate to Norwegian: boats')),
      1,
    );
  });

  it('differs rather in a parameter than in what is said', () => {
    const recordings = recorded(
      { ...chat('Which ferries leave?'), temperature: 0 },
      { ...chat('Which ferries go?'), temperature: 1 },
    );
    const missed = matcher(recordings).take(wire({ ...chat('Which ferries leave?'), temperature: 1 }));
    assert.equal('explain' in missed && missed.explain().nearest?.index, 0);
  });
});

describe('matching in a sequence', () => {
  const http = (url: string, body: Json): Interaction => ({
    ...(recorded(body)[0] as Interaction),
    kind: 'http',
    http: { ...(recorded(body)[0]?.http as NonNullable<Interaction['http']>), url },
  });

  it('serves the next recording of the same endpoint, and never that of another', () => {
    const info = http('https://api.example.com/info', null);
    const [first, second] = recorded(chat('one'), chat('two'));
    const order = [info, first, info, second].map((one, index) => ({ ...(one as Interaction), index }));
    const tape = matcher(order, 'sequence', [], 'warn');
    assert.deepEqual(tape.take(wire(chat('one'))), { kind: 'exact', index: 1 });
    const drifted = tape.take(wire(chat('three')));
    assert.deepEqual([drifted.kind, 'index' in drifted && drifted.index], ['differs', 3]);
    assert.equal('index' in tape.take(wire(chat('four'))), false, 'the requests of another endpoint are not for it');
    assert.deepEqual(tape.unused(), [0, 2]);
  });
});

describe('requests that are known to be equal', () => {
  it('are served in recording order, together with those that were matched', () => {
    const tape = matcher(recorded(chat('a'), chat('b'), chat('a'), chat('a')));
    const equal = [0, 2, 3];
    assert.equal(tape.takeOneOf(equal), 0);
    assert.deepEqual(tape.take(wire(chat('a'))), { kind: 'exact', index: 2 });
    assert.equal(tape.takeOneOf(equal), 3);
    assert.equal(tape.takeOneOf(equal), undefined);
    assert.equal(tape.takeOneOf(equal, 'another run'), 0);
    assert.deepEqual(tape.unused(), [1]);
  });
});

describe('requests that mean the same', () => {
  const kindOf = (before: Json, after: Json): string => matcher(recorded(before)).take(wire(after)).kind;

  it('are equivalent: what is null, empty or a default on one side does not count', () => {
    const nothing = { n: 1, stream: false, stop: null, metadata: {}, tools: [], response_format: { type: 'text' } };
    assert.equal(kindOf(chat('Hi'), chat('Hi', nothing)), 'equivalent');
    assert.equal(kindOf(chat('Hi', nothing), chat('Hi')), 'equivalent');
    const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } };
    const asked = (message: Json): Json => ({ model: 'm', messages: [{ role: 'user', content: 'Hi' }, message] });
    assert.equal(
      kindOf(
        asked({ role: 'assistant', content: null, tool_calls: [call] }),
        asked({ role: 'assistant', content: '', refusal: null, audio: null, tool_calls: [call] }),
      ),
      'equivalent',
    );
  });

  it('are equivalent under other ids of calls, as long as each result belongs to the same call', () => {
    const conversation = (first: string, second: string, results: readonly string[]): Json => ({
      model: 'm',
      messages: [
        { role: 'user', content: 'Both, please.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [first, second].map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
        },
        ...results.map((id, at) => ({ role: 'tool', tool_call_id: id, content: `result ${at}` })),
      ],
    });
    const before = conversation('call_a', 'call_b', ['call_a', 'call_b']);
    assert.equal(kindOf(before, conversation('x1', 'x2', ['x1', 'x2'])), 'equivalent');
    assert.equal(kindOf(before, conversation('x1', 'x2', ['x2', 'x1'])), 'drifted');
    const blocks = (id: string): Json => ({
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id, name: 'f', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] },
      ],
    });
    assert.equal(kindOf(blocks('toolu_1'), blocks('toolu_2')), 'equivalent');
  });

  it('are served after those that are equal', () => {
    const tape = matcher(recorded(chat('Hi', { stop: null }), chat('Hi')));
    assert.deepEqual(tape.take(wire(chat('Hi'))), { kind: 'exact', index: 1 });
    assert.deepEqual(tape.take(wire(chat('Hi'))), { kind: 'equivalent', index: 0 });
    assert.equal(tape.take(wire(chat('Hi'))).kind, 'used-up');
  });

  it('are not those that say something else', () => {
    const others: JsonRecord[] = [
      { n: 2 },
      { temperature: 0.5 },
      { stream: true },
      { tool_choice: 'none' },
      { stop: ['x'] },
    ];
    for (const more of others) assert.equal(kindOf(chat('Hi'), chat('Hi', more)), 'drifted', JSON.stringify(more));
    const missed = matcher(recorded(chat('Hi', { stop: null }))).take(wire(chat('Hi', { seed: 4 })));
    assert.ok('explain' in missed);
    assert.deepEqual(
      missed.explain().changes?.params.map(({ path }) => path.join('/')),
      ['seed'],
    );
  });
});

describe('a recording without its response', () => {
  const lacking = ([one]: Interaction[]): Interaction[] =>
    one?.http === undefined ? [] : [{ ...one, http: { ...one.http, notKept: { why: 'dropped', size: 5 } } }];
  const tape = [
    ...lacking(recorded(chat('Hi'))),
    ...recorded(chat('Ho'), chat('Hi')).map((one, at) => ({ ...one, index: at + 1 })),
  ];

  it('is passed over, in any way of matching', () => {
    for (const mode of ['exact', 'sequence', 'subset'] as const) {
      const matching = matcher(mode === 'sequence' ? tape.toSpliced(1, 1) : tape, mode);
      assert.deepEqual(matching.take(wire(chat('Hi'))), { kind: 'exact', index: 2 }, mode);
      assert.ok(!matching.unused().includes(0));
      const again = matching.take(wire(chat('Hi')));
      assert.equal(again.kind, 'used-up', mode);
    }
  });

  it('is why a request is missing that only it would match', () => {
    for (const mode of ['exact', 'sequence'] as const) {
      const taken = matcher(tape.slice(0, 2), mode).take(wire(chat('Hi')));
      assert.ok(!('index' in taken));
      assert.equal(taken.kind, 'missing');
      const text = formatDrift(taken.explain(), { tape: 'a.har' });
      assert.match(
        text,
        /^a\.har has this request as interaction 1, which is not replayed: the body of its response, 5 bytes, was not kept/,
      );
      assert.equal(
        driftLine(taken.explain()),
        'Interaction 1 is not replayed: the body of its response, 5 bytes, was not kept',
      );
    }
  });

  it('counts where no status was recorded, too, or none that a response has', () => {
    for (const status of [undefined, 0, 101]) {
      const [one] = recorded(chat('Hi'));
      assert.ok(one?.http);
      const { status: _, ...http } = one.http;
      const taken = matcher([{ ...one, http: { ...http, ...(status !== undefined && { status }) } }]).take(
        wire(chat('Hi')),
      );
      assert.ok(!('index' in taken));
      assert.match(
        formatDrift(taken.explain(), { tape: 'a' }),
        /interaction 1, which is not replayed: no response was recorded/,
      );
    }
  });
});
