import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatDrift } from '../../../src/core/match/formatDrift';
import { parseMask } from '../../../src/core/match/masks';
import { BROKEN, type Played, type RecordedTalk, TalkReplay } from '../../../src/core/match/talkReplay';
import type { TalkMessage } from '../../../src/core/wire/realtime/talk';

type Event = Record<string, unknown>;

const client = (event: Event): TalkMessage => ({ from: 'client', data: JSON.stringify(event) });
const server = (event: Event): TalkMessage => ({ from: 'server', data: JSON.stringify(event) });
const append = (bytes: readonly number[], more: Event = {}): TalkMessage =>
  client({ type: 'input_audio_buffer.append', audio: Buffer.from(bytes).toString('base64'), ...more });
const item = (text: string, id?: string): TalkMessage =>
  client({
    type: 'conversation.item.create',
    item: { ...(id && { id }), type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  });

const recording = (index: number, ...messages: TalkMessage[]): RecordedTalk => ({
  index,
  talk: { messages, close: { from: 'client', code: 1000, reason: '' } },
});

function replayOf(recorded: RecordedTalk, masks: readonly string[] = []): TalkReplay {
  const parsed = masks.map((mask) => {
    const read = parseMask(mask);
    assert.ok(read, mask);
    return read;
  });
  return new TalkReplay([recorded], { carrier: 'websocket', path: '/v1/realtime' }, { masks: parsed });
}

function texts(played: readonly Played[]): unknown[] {
  return played.map((one) => ('data' in one ? JSON.parse(one.data) : one.code));
}

/** What the server says after each message; the explanation of a drift. */
function play(replay: TalkReplay, ...sent: TalkMessage[]): unknown[] {
  return sent.map((message) => {
    const step = replay.sent(message);
    if ('played' in step) return texts(step.played);
    const { number, name, drift } = step.drifted;
    return `${number} ${name}: ${typeof drift === 'string' ? drift : formatDrift(drift, { tape: 'a.tape' })}`;
  });
}

describe('a recorded WebSocket', () => {
  it('is played as far as the client has come', () => {
    const replay = replayOf(
      recording(3, server({ n: 0 }), item('a'), item('b'), server({ n: 1 }), server({ n: 2 }), item('c')),
    );
    assert.deepEqual(texts(replay.start()), [{ n: 0 }]);
    assert.deepEqual(play(replay, item('a'), item('b')), [[], [{ n: 1 }, { n: 2 }]]);
    assert.deepEqual(
      [replay.index, replay.match, replay.unsent],
      [3, 'exact', { number: 3, name: 'conversation.item.create' }],
    );
    assert.deepEqual(play(replay, item('c')), [[]]);
    assert.equal(replay.unsent, undefined);
  });

  it('matches what means the same: members in another order, ids of events, empty members', () => {
    const replay = replayOf(
      recording(
        0,
        client({ type: 'session.update', event_id: 'event_1', session: { instructions: 'Be brief.', voice: 'alloy' } }),
        client({ type: 'response.create', event_id: 'event_2' }),
        server({ n: 1 }),
      ),
    );
    const answers = play(
      replay,
      client({ session: { voice: 'alloy', instructions: 'Be brief.' }, event_id: 'event_x', type: 'session.update' }),
      client({ type: 'response.create', response: {} }),
    );
    assert.deepEqual(answers, [[], [{ n: 1 }]]);
  });

  it('follows the ids that a client makes, and no others', () => {
    const recorded = recording(
      0,
      item('a', 'item_1'),
      server({ type: 'conversation.item.created', item: { id: 'item_1' } }),
      client({ type: 'conversation.item.delete', item_id: 'item_1' }),
      server({ item_id: 'item_1' }),
    );
    const replay = replayOf(recorded);
    assert.deepEqual(play(replay, item('a', 'new'), client({ type: 'conversation.item.delete', item_id: 'new' })), [
      [{ type: 'conversation.item.created', item: { id: 'new' } }],
      [{ item_id: 'new' }],
    ]);
    const [, other] = play(
      replayOf(recorded),
      item('a', 'new'),
      client({ type: 'conversation.item.delete', item_id: 'another' }),
    );
    assert.match(String(other), /^2 conversation\.item\.delete: .*item_1.*another/s);
    const voices = replayOf(recording(0, client({ type: 'session.update', session: { voice_id: 'v1' } })));
    assert.match(String(play(voices, client({ type: 'session.update', session: { voice_id: 'v2' } }))), /v1.*v2/s);
    const ofServer = recording(
      0,
      server({ item: { call_id: 'call_1' } }),
      client({
        type: 'conversation.item.create',
        item: { type: 'function_call_output', call_id: 'call_1', output: 'x' },
      }),
    );
    const answering = replayOf(ofServer);
    answering.start();
    const output = { type: 'function_call_output', call_id: 'call_2', output: 'x' };
    assert.match(
      String(play(answering, client({ type: 'conversation.item.create', item: output }))),
      /call_1.*call_2/s,
    );
  });

  it('says what differs in the words for requests', () => {
    const setup = (model: string, text: string) =>
      client({ setup: { model, systemInstruction: { parts: [{ text }] }, tools: [{ functionDeclarations: [] }] } });
    const drift = (before: TalkMessage, now: TalkMessage) => String(play(replayOf(recording(0, before)), now));
    assert.match(drift(setup('a', 'Be brief.'), setup('b', 'Be brief.')), /1 setup: .*model: a → b/s);
    assert.match(drift(setup('a', 'Be brief.'), setup('a', 'Be long.')), /system.*\[-brief-\]\{\+long\+\}/s);
    const turns = (text: string) => client({ clientContent: { turns: [{ role: 'user', parts: [{ text }] }] } });
    assert.match(drift(turns('hello you'), turns('hello there')), /1 clientContent: .*\[-you-\]\{\+there\+\}/s);
    const create = (input: string) => client({ type: 'response.create', model: 'm', input });
    assert.match(drift(create('one two'), create('one three')), /1 response\.create: .*\[-two-\]\{\+three\+\}/s);
    const result = (output: string) =>
      client({ toolResponse: { functionResponses: [{ id: 'c', name: 'f', response: { output } }] } });
    assert.match(drift(result('18'), result('19')), /18.*19/s);
    const toCall = (id: string) =>
      client({ toolResponse: { functionResponses: [{ id, name: 'f', response: { output: 1 } }] } });
    assert.match(drift(toCall('c1'), toCall('c2')), /c1.*c2/s);
    assert.match(
      drift(item('a'), client({ type: 'response.create' })),
      /type: "conversation\.item\.create" → "response\.create"/,
    );
  });

  it('has no further message than were recorded, but for audio', () => {
    const replay = replayOf(recording(0, item('a')));
    assert.deepEqual(play(replay, item('a'), append([1]), item('b')), [[], [], '3 conversation.item.create: none']);
    const microphone = replayOf(recording(0, item('a'), append([1, 2])));
    assert.deepEqual(play(microphone, item('a')), [[]]);
    assert.equal(microphone.unsent, undefined, 'a microphone may be turned off earlier');
  });

  it('lets pass what masks name, and says so', () => {
    const replay = replayOf(recording(0, item('on 2026-01-02')), ['date']);
    assert.deepEqual(play(replay, item('on 2026-03-04')), [[]]);
    assert.equal(replay.match, 'masked');
    const warned = new TalkReplay(
      [recording(0, item('a'), server({ n: 1 }))],
      { carrier: 'websocket', path: '/' },
      { masks: [], onDrift: 'warn' },
    );
    assert.deepEqual(play(warned, item('b')), [[{ n: 1 }]]);
    assert.equal(warned.match, 'differs');
    assert.ok(warned.difference);
  });

  it('is played as it ended: closed by the server with its code, or broken off', () => {
    const ended = (talk: Partial<RecordedTalk['talk']>) =>
      texts(
        new TalkReplay(
          [{ index: 0, talk: { messages: [], ...talk } }],
          { carrier: 'websocket', path: '/' },
          { masks: [] },
        ).start(),
      );
    assert.deepEqual(ended({ close: { from: 'server', code: 4001, reason: 'x' } }), [4001]);
    assert.deepEqual(ended({ close: { from: 'client', code: 1000, reason: '' } }), []);
    assert.deepEqual(ended({}), [BROKEN]);
  });

  it('compares audio by its bytes, however it is cut into messages', () => {
    const bytes = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 40 });
    const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 12 });
    const pieces = (all: readonly number[], lengths: readonly number[]): number[][] => {
      const found: number[][] = [];
      for (let at = 0, turn = 0; at < all.length; turn += 1) {
        const end = at + (lengths[turn % lengths.length] ?? 1);
        found.push(all.slice(at, end));
        at = end;
      }
      return found;
    };
    fc.assert(
      fc.property(bytes, cuts, cuts, fc.nat(39), (all, recordedCuts, sentCuts, at) => {
        const recorded = pieces(all, recordedCuts).flatMap((piece, n) => [append(piece), server({ n })]);
        const sent = pieces(all, sentCuts).map((piece) => append(piece));
        const replay = replayOf(recording(0, ...recorded, item('end')));
        const heard = play(replay, ...sent).flat();
        assert.deepEqual(heard, texts(recorded.filter(({ from }) => from === 'server')));
        assert.deepEqual(play(replay, item('end')), [[]]);
        const changed = all.map((byte, index) => (index === at % all.length ? byte ^ 1 : byte));
        const drifts = play(
          replayOf(recording(0, ...recorded)),
          ...pieces(changed, sentCuts).map((piece) => append(piece)),
        );
        assert.match(
          String(drifts.find((one) => typeof one === 'string')),
          /input_audio_buffer\.append: .*audio: .*sha256/s,
        );
      }),
    );
  });

  it('compares binary messages, and what is said beside audio', () => {
    const binary = (...bytes: number[]): TalkMessage => {
      return { from: 'client', data: Buffer.from(bytes).toString('base64'), base64: true };
    };
    assert.deepEqual(play(replayOf(recording(0, binary(1, 2), server({ n: 1 }))), binary(1), binary(2)), [
      [],
      [{ n: 1 }],
    ]);
    assert.match(String(play(replayOf(recording(0, binary(1, 2))), binary(3))), /1 undefined: .*sha256/s);
    const live = (mimeType: string) => client({ realtimeInput: { audio: { data: 'AQI=', mimeType } } });
    assert.deepEqual(play(replayOf(recording(0, live('audio/pcm'))), live('audio/pcm')), [[]]);
    assert.match(String(play(replayOf(recording(0, live('audio/pcm'))), live('audio/wav'))), /audio\/pcm.*audio\/wav/s);
  });

  it('of several of one address is the one whose first message the client sends', () => {
    const both = [recording(0, server({ n: 0 }), item('a'), server({ said: 'a' }))] as const;
    const other = recording(1, server({ n: 9 }), item('b'), server({ said: 'b' }));
    const replay = new TalkReplay([both[0], other], { carrier: 'websocket', path: '/' }, { masks: [] });
    assert.deepEqual(texts(replay.start()), [{ n: 0 }]);
    assert.deepEqual(play(replay, item('b')), [[{ said: 'b' }]]);
    assert.equal(replay.index, 1);
  });
});
