import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import type { Json } from '../../../../src/core/json/json';
import type { HttpBody } from '../../../../src/core/model/http';
import type { RecordedInteraction } from '../../../../src/core/model/interaction';
import type { ChatResponse, Message } from '../../../../src/core/model/message';
import type { Tape } from '../../../../src/core/model/tape';
import { compareTapes } from '../../../../src/core/review/compare/compareTapes';
import { DEFAULT_RULES, Normaliser } from '../../../../src/core/review/compare/normaliser';
import { usageText } from '../../../../src/core/review/usageText';
import { formatById } from '../../../../src/core/tapes/registry';
import { isRecordable, newTapeFile } from '../../../../src/core/tapes/writableFormat';
import { bodyFromBytes } from '../../../../src/core/wire/body/body';
import { lines, recorded, review, say, turn } from '../recordings';

const hello = turn([say('user', 'Say hello to the visitor')], 'Hello and welcome, visitor');
const weather = turn([say('user', 'What is the weather in Paris')], 'It rains in Paris today');
const goodbye = turn([say('user', 'Say goodbye in French')], 'Au revoir et bonne route');

const TAPEDECK = formatById('tapedeck');

/** A tape that stores HTTP. */
function taped(interaction: RecordedInteraction): Tape {
  assert.ok(isRecordable(TAPEDECK));
  return TAPEDECK.read(newTapeFile(TAPEDECK, 'n', [interaction]));
}

describe('compareTapes', () => {
  it('finds nothing between equal tapes', () => {
    const { comparison } = review([hello, weather], [hello, weather]);
    assert.deepEqual([comparison.changes, comparison.hidden, comparison.notices], [[], [], []]);
  });

  it('tells a compressed file from what it contains, and two of them, but not how HTTP compressed one', () => {
    const download = (responseBody: HttpBody, ...codings: string[]): RecordedInteraction => ({
      kind: 'http',
      http: {
        method: 'GET',
        url: 'https://files.example/a',
        requestHeaders: [],
        requestBody: { type: 'none' },
        status: 200,
        responseHeaders: codings.map((coding) => ['content-encoding', coding]),
        responseBody,
      },
    });
    const rows = Buffer.from('{"rows":[1,2,3]}');
    const [plain, file] = [bodyFromBytes(rows), bodyFromBytes(gzipSync(rows))];
    const bodies = (before: RecordedInteraction, after: RecordedInteraction) =>
      lines(compareTapes(taped(before), taped(after), new Normaliser())).filter((line) => line.includes('responseBody'))
        .length;
    assert.equal(bodies(download(plain), download(file)), 1);
    assert.equal(bodies(download(file), download(bodyFromBytes(gzipSync(rows, { level: 0 })))), 1);
    assert.equal(bodies(download(plain), download(file, 'gzip')), 0);
    const pieces = (last: string): HttpBody => ({
      type: 'chunks',
      chunks: [{ data: '/w==', base64: true }, { data: last }],
    });
    assert.equal(bodies(download(pieces('a')), download(pieces('b'))), 1);
  });

  it('tells what is new, gone and moved from what was edited', () => {
    assert.deepEqual(lines(review([hello, goodbye], [hello, weather, goodbye]).comparison), ['added interaction >1']);
    assert.deepEqual(lines(review([hello, weather, goodbye], [hello, goodbye]).comparison), ['removed interaction 1>']);
    const third = turn([say('user', 'Count the parcels of today')], 'Seven parcels arrived');
    const moved = review([hello, weather, goodbye, third], [weather, goodbye, third, hello]);
    assert.deepEqual(lines(moved.comparison), ['moved interaction 0>3']);
  });

  it('names the field that was edited, with its two sides', () => {
    const { comparison } = review(
      [hello, weather],
      [hello, turn([say('user', 'What is the weather in Paris')], 'It snows in Paris today', { tokens: 12 })],
    );
    assert.deepEqual(lines(comparison), ['edited text 1>1 response.content']);
    const [text] = comparison.changes;
    assert.deepEqual(
      [text?.title, text?.weight, text?.before, text?.after],
      ['Response', 'behaviour', 'It rains in Paris today', 'It snows in Paris today'],
    );
  });

  it('tells token counts with the change that they came with, and alone where there is none', () => {
    const paris = (said: string, tokens: number, system = 'You help.') =>
      turn([say('system', system), say('user', 'What is the weather in Paris')], said, { tokens });
    const { comparison: answered } = review(
      [hello, paris('It rains', 10)],
      [hello, paris('It snows', 12, 'Be brief.')],
    );
    assert.deepEqual(
      answered.changes.map(({ title, usage }) => [title, usage && usageText(usage)]),
      [
        ['Text of message 1', undefined],
        ['Response', 'tokens 10 → 12 in'],
      ],
    );
    const { comparison: asked } = review(
      [paris('It rains', 10), paris('It pours', 20)],
      [paris('It rains', 13, 'Be brief.'), paris('It pours', 26, 'Be brief.')],
    );
    assert.deepEqual(
      asked.changes.map(({ title, repeats, usage }) => [title, repeats.length, usage && usageText(usage)]),
      [['Text of message 1', 1, 'tokens 30 → 39 in']],
    );
    const { comparison: alone } = review([paris('It rains', 10)], [paris('It rains', 12)]);
    assert.deepEqual(
      alone.changes.map(({ title, weight, usage }) => [title, weight, usage && usageText(usage)]),
      [['Tokens', 'accounting', 'tokens 10 → 12 in']],
    );
  });

  it('tells that a stream was cut off, and that a result is JSON and no longer text', () => {
    const changed = (old: Partial<ChatResponse>, now: Partial<ChatResponse>) => {
      const { tape } = recorded([weather]);
      const withResponse = (part: Partial<ChatResponse>): Tape => ({
        ...tape,
        interactions: tape.interactions.map((one) => ({ ...one, response: { content: '1', toolCalls: [], ...part } })),
      });
      return compareTapes(withResponse(old), withResponse(now)).changes.map(({ title, weight, before, after }) => [
        title,
        weight,
        before,
        after,
      ]);
    };
    assert.deepEqual(changed({}, { endedEarly: true }), [['End of the stream', 'behaviour', 'complete', 'cut off']]);
    assert.deepEqual(changed({}, { isJson: true }), [['Form of the result', 'behaviour', 'text', 'JSON value']]);
    assert.deepEqual(changed({ content: null }, { isJson: true, content: '1' }).length, 1);
  });

  it('keeps short interactions pairs, though most of their words were edited', () => {
    const sum = (numbers: string, answer: string, more = {}) =>
      turn([say('user', `What is ${numbers}?`)], answer, more);
    const others = [hello, weather];
    const before = [...others, sum('2+2', 'Four'), goodbye];
    const after = [...others, sum('2+3', 'Five', { model: 'gpt-5', tokens: 12 }), goodbye];
    assert.deepEqual(lines(review(before, after).comparison), [
      'edited model 2>2 request.model',
      'edited text 2>2 request.messages.0.content',
      'edited text 2>2 response.content',
    ]);
    assert.deepEqual(
      lines(review([sum('2+2', 'Four')], [turn([say('user', 'And who are you')], 'A bot')]).comparison),
      ['edited text 0>0 request.messages.0.content', 'edited text 0>0 response.content'],
    );
  });

  it('compares tool calls by name and arguments, whatever their ids', () => {
    const call = (id: string, name: string, city: string) => ({ id, name, arguments: { city } });
    const asked = [say('user', 'What is the weather in Paris')];
    const before = turn(asked, null, { calls: [call('call_1', 'get_weather', 'Paris')] });
    const again = turn(asked, null, { calls: [call('call_2', 'get_weather', 'Paris')] });
    const same = review([before], [again]).comparison;
    assert.deepEqual([lines(same), same.hidden.map(({ subject }) => subject)], [[], ['id']]);
    const swapped = turn(asked, null, { calls: [call('call_1', 'get_forecast', 'Paris')] });
    assert.deepEqual(lines(review([before], [swapped]).comparison), ['edited tool 0>0 response.toolCalls.0.name']);
    const elsewhere = turn(asked, null, { calls: [call('call_1', 'get_weather', 'Lyon')] });
    assert.deepEqual(lines(review([before], [elsewhere]).comparison), [
      'edited arguments 0>0 response.toolCalls.0.arguments',
    ]);
  });

  it('counts an edit of the system prompt once, though every request repeats it', () => {
    const tape = (prompt: string) =>
      ['one', 'two', 'three'].map((word) => turn([say('system', prompt), say('user', `Count to ${word}`)], word));
    const { comparison } = review(tape('Be brief.'), tape('Be kind.'));
    assert.deepEqual(lines(comparison), ['edited text 0>0 request.messages.0.content']);
    assert.deepEqual(
      comparison.changes[0]?.repeats.map(({ after }) => after),
      [1, 2],
    );
  });

  it('counts an answer that later requests repeat once', () => {
    const tape = (answer: string) => [
      turn([say('user', 'Hi')], answer),
      turn([say('user', 'Hi'), say('assistant', answer), say('user', 'And now?')], 'Nothing more'),
    ];
    const { comparison } = review(tape('Good morning to you'), tape('Good evening to you'));
    assert.deepEqual(lines(comparison), ['edited text 0>0 response.content']);
    assert.equal(comparison.changes[0]?.repeats.length, 1);
  });

  it('takes no call that asks for what for an edit of one that tells a result', () => {
    const path = '/srv/harbour/projects/parcels/database.sqlite';
    const call = (name: string) => ({
      id: 'c',
      name: 'run_pipeline',
      arguments: { name, database: path, folder: path },
    });
    const asked = turn([say('user', `Ingest ${path}`)], null, { calls: [call('ingest')] });
    const told = turn([say('tool', `Ingested ${path} and its notes`)], null, { calls: [call('query')] });
    assert.deepEqual(lines(review([hello, told, goodbye], [hello, asked, goodbye]).comparison), [
      'removed interaction 1>',
      'added interaction >1',
    ]);
  });

  it('tells equal interactions apart by their token counts', () => {
    const used = (promptTokens: number, completionTokens: number) => ({
      ...weather,
      response: {
        content: 'It rains in Paris today',
        toolCalls: [],
        usage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens },
      },
    });
    const { comparison } = review([used(100, 5), used(200, 5)], [used(200, 9)]);
    assert.deepEqual(lines(comparison).sort(), ['edited usage 1>0 response.usage', 'removed interaction 0>']);
  });

  it('counts an interaction that is gone or new once, though later requests contain it', () => {
    const [asked, answered] = [say('user', 'Who is at the door'), say('assistant', 'The postman is there')];
    const first = turn([asked], 'The postman is there');
    const later = (history: readonly Message[]) => turn([...history, say('user', 'Let them in')], 'They came in');
    const [long, short] = [later([asked, answered]), later([])];
    assert.deepEqual(lines(review([first, long], [short]).comparison), ['removed interaction 0>']);
    const { comparison } = review([short], [first, long]);
    assert.deepEqual(lines(comparison), ['added interaction >0']);
    assert.equal(comparison.changes[0]?.repeats.length, 2);
  });

  it('hides what a rule says means nothing, and says which rule', () => {
    const at = (time: string, path: string) => [turn([say('user', `Run at ${time} in ${path}`)], 'Done')];
    const { comparison } = review(at('2026-04-04T10:00:00Z', '/tmp/run-1'), at('2026-04-05T11:30:00Z', '/tmp/run-2'));
    assert.deepEqual(lines(comparison), []);
    assert.deepEqual(
      comparison.hidden.map(({ rules }) => rules),
      [['timestamp', 'temp-path']],
    );
  });

  it('hides it at the start of a line, too, and in a path of Windows', () => {
    const ask = (id: string) => [
      turn([say('user', `run:\n${id}\n\tsession:\t${id} C:\\Users\\nat\\AppData\\Local\\Temp\\${id}`)], 'ok'),
    ];
    const [old, now] = ['1b4e28ba-2fa1-11d2-883f-0016d3cca427', '6fa459ea-ee8a-3ca4-894e-db77e160355e'];
    assert.deepEqual(lines(review(ask(old), ask(now)).comparison), []);
  });

  it('shows a date without a time in what was asked, unless the rules say otherwise', () => {
    const on = (date: string) => [turn([say('user', `Is it the ${date}?`)], 'It is')];
    const [before, after] = [on('2026-04-04'), on('2026-04-05')];
    assert.equal(review(before, after).comparison.changes.length, 1);
    const lenient = new Normaliser({ ...DEFAULT_RULES, presets: [...DEFAULT_RULES.presets, 'date'] });
    assert.equal(review(before, after, lenient).comparison.changes.length, 0);
  });

  describe('volatile values', () => {
    const call = (given: Json) =>
      turn([say('user', 'Go on')], null, { calls: [{ id: 'call_1', name: 'act', arguments: given }] });
    const changesOf = (old: RecordedInteraction, now: RecordedInteraction) => lines(review([old], [now]).comparison);

    const behaviour: readonly (readonly [what: string, before: Json, after: Json])[] = [
      ['an appointment', { at: '2026-04-04T10:00:00Z' }, { at: '2026-04-07T15:30:00Z' }],
      [
        'a customer',
        { customer: '1b4e28ba-2fa1-11d2-883f-0016d3cca427' },
        { customer: '6fa459ea-ee8a-3ca4-894e-db77e160355e' },
      ],
      ['an item', { id: 'item_20260404A' }, { id: 'item_20269999B' }],
      ['a thread', { thread: 'thread-general1' }, { thread: 'thread-finance2' }],
      ['an amount', { cents: 1700000000 }, { cents: 1900000000 }],
      ['a file', { path: '/tmp/report.txt' }, { path: '/tmp/ledger.txt' }],
      ['a port', { address: 'localhost:8080' }, { address: 'localhost:5432' }],
      ['a generated id', { file: 'file-9fK2mQ7xVb1cLp0Z' }, { file: 'file-3aB8nR5yWd6eKq2T' }],
    ];
    for (const [what, before, after] of behaviour) {
      it(`are behaviour in what a tool is called with: ${what}`, () => {
        assert.deepEqual(changesOf(call(before), call(after)), ['edited arguments 0>0 response.toolCalls.0.arguments']);
      });
      it(`are behaviour in a response: ${what}`, () => {
        const [old, now] = [before, after].map((said) =>
          turn([say('user', 'Go on')], `It is ${Object.values(said ?? {})[0]}.`),
        );
        assert.ok(old && now);
        assert.deepEqual(changesOf(old, now), ['edited text 0>0 response.content']);
      });
    }

    it('are noise in fields that name a request or a call', () => {
      const { comparison } = review(
        [call({ request_id: 'a1', city: 'Oslo' })],
        [call({ request_id: 'b2', city: 'Oslo' })],
      );
      assert.deepEqual([lines(comparison), comparison.hidden.map(({ rules }) => rules)], [[], [['provider-id']]]);
      assert.equal(
        changesOf(call({ request_id: 'a1', city: 'Oslo' }), call({ request_id: 'b2', city: 'Rome' })).length,
        1,
      );
    });

    it('are noise where they changed in what the model was given, and as they did there', () => {
      const at = (given: string, said: string) => [
        turn([say('system', `Now: ${given}`), say('user', 'Book it')], `Booked for ${said}`),
      ];
      const [ten, noon, three] = ['2026-04-04T10:00:00Z', '2026-04-05T12:00:00Z', '2026-04-06T15:00:00Z'];
      const followed = review(at(ten, ten), at(noon, noon)).comparison;
      assert.deepEqual([lines(followed), followed.hidden.length], [[], 2]);
      assert.deepEqual(lines(review(at(ten, ten), at(noon, three)).comparison), ['edited text 0>0 response.content']);
      assert.deepEqual(lines(review(at(ten, ten), at(ten, noon)).comparison), ['edited text 0>0 response.content']);
    });

    it('are no noise in what was given where only their shape says so', () => {
      const asked = (text: string) => turn([say('user', text)], 'Done');
      for (const [old, now] of [
        ['1500000000 people', '1600000000 people'],
        ['Read /tmp/report.txt', 'Read /tmp/ledger.txt'],
        ['Post to thread-general1', 'Post to thread-finance2'],
        ['Connect to localhost:8080', 'Connect to localhost:5432'],
      ] as const)
        assert.deepEqual(changesOf(asked(old), asked(now)), ['edited text 0>0 request.messages.0.content'], old);
    });

    it('make another change of the same kind a change of its own', () => {
      const booked = (at: string) => [turn([say('user', 'Book it')], `Booked for ${at}`)];
      const ids = ['2026-04-05T12:00:00Z', '2026-04-06T15:00:00Z'].map(
        (at) => review(booked('2026-04-04T10:00:00Z'), booked(at)).comparison.changes[0]?.id,
      );
      assert.notEqual(ids[0], ids[1]);
    });
  });

  it('takes token counts within the tolerance for the same', () => {
    const counted = (tokens: number) => [turn([say('user', 'Hi')], 'Hello', { tokens })];
    const lenient = new Normaliser({ ...DEFAULT_RULES, usageTolerance: 0.1 });
    assert.equal(review(counted(100), counted(105), lenient).comparison.changes.length, 0);
    assert.equal(review(counted(100), counted(150), lenient).comparison.changes.length, 1);
  });

  it('tells equal changes apart by their places, whichever of them there are', () => {
    const town = (name: string, said: string) => turn([say('user', `What is the weather in ${name}`)], said);
    const tape = (...said: readonly string[]) => said.map((one, at) => town(['Oslo', 'Oslo', 'Bergen'][at] ?? '', one));
    const old = tape('It is sunny', 'It is sunny', 'It is sunny');
    const idsOf = (...said: readonly string[]) => review(old, tape(...said)).comparison.changes.map(({ id }) => id);
    const [first, second, third] = idsOf('It rains', 'It rains', 'It rains');
    assert.equal(new Set([first, second, third]).size, 3);
    assert.deepEqual(idsOf('It is sunny', 'It rains', 'It rains'), [second, third]);
    assert.deepEqual(idsOf('It rains', 'It is sunny', 'It rains'), [first, third]);
    assert.deepEqual(idsOf('It is sunny', 'It is sunny', 'It rains'), [third]);
  });

  it('gives each of two equal changes what later requests repeat of it', () => {
    const [one, two] = [say('user', 'Is it sunny in Oslo'), say('user', 'And is it so in Bergen, too')];
    const conversation = (first: string, second: string) => [
      turn([one], first),
      turn([one, say('assistant', first), two], second),
      turn([one, say('assistant', first), two, say('assistant', second), say('user', 'Thank you')], 'Not at all'),
    ];
    const { changes } = review(conversation('It is', 'It is'), conversation('It rains', 'It rains')).comparison;
    assert.deepEqual(
      changes.map(({ repeats }) => repeats.map(({ after, path }) => `${after} ${path.join('.')}`)),
      [['1 request.messages.1.content', '2 request.messages.1.content'], ['2 request.messages.3.content']],
    );
  });

  it('gives the same change the same id when other things change, too', () => {
    const edited = turn([say('user', 'What is the weather in Paris')], 'It snows in Paris today');
    const alone = review([hello, weather], [hello, edited]).comparison.changes[0]?.id;
    const among = review([weather, hello], [goodbye, edited, hello]).comparison.changes.map(({ id }) => id);
    assert.ok(alone !== undefined && among.includes(alone));
  });
});
