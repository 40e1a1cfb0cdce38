import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../../src/core/json/json';
import { formatMask } from '../../../src/core/match/masks';
import { matchOf } from './requestPairs';

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const two = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((one) => `${one}`.padStart(2, '0'));
const day = fc.tuple(two(1, 12), two(1, 28));
const time = fc.tuple(two(0, 23), two(0, 59), two(0, 59));
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July'];
const uuid = hex(30).map(
  (d) => `${d.slice(0, 8)}-${d.slice(8, 12)}-4${d.slice(12, 15)}-a${d.slice(15, 18)}-${d.slice(18)}`,
);

/** Volatile values by the preset under which two of them are the same. */
const VOLATILE: Readonly<Record<string, readonly fc.Arbitrary<string>[]>> = {
  uuid: [
    uuid,
    uuid.map((one) => one.toUpperCase()),
    uuid.map((one) => one.replaceAll('-', '')),
    hex(24).map((digits) => `01${digits.toUpperCase()}`),
  ],
  'provider-id': [
    hex(24).map((digits) => `call_1${digits}`),
    hex(22).map((digits) => `msg_01${digits}`),
    hex(26).map((digits) => `chatcmpl-9${digits}`),
  ],
  timestamp: [
    fc.tuple(day, time).map(([[month, date], at]) => `2026-${month}-${date}T${at.join(':')}Z`),
    fc.tuple(day, time).map(([[month, date], at]) => `2026-${month}-${date} ${at.join(':')}`),
    fc.integer({ min: 1_750_000_000, max: 1_790_000_000 }).map(String),
  ],
  date: [
    day.map(([month, date]) => `2026-${month}-${date}`),
    fc
      .tuple(fc.constantFrom(...MONTHS), fc.integer({ min: 1, max: 28 }))
      .map(([month, date]) => `${month} ${date}, 2026`),
    day.map(([month, date]) => `${date}.${month}.2026`),
  ],
  'temp-path': [
    hex(8).map((name) => `/tmp/tmp${name}/report.txt`),
    fc.nat(99).map((number) => `/tmp/pytest-of-ann/pytest-${number}/test_a0/x.db`),
    hex(8).map((name) => `/private/var/folders/zz/${name}a1/T/tmp${name}/x.db`),
  ],
  port: [
    fc.integer({ min: 20_000, max: 60_000 }).map((port) => `http://127.0.0.1:${port}/v1`),
    fc.integer({ min: 20_000, max: 60_000 }).map((port) => `[::1]:${port}`),
  ],
};

/** A conversation in which a tool has answered. */
const afterTool = (content: string, result: string): Json[] => [
  { role: 'user', content },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'call_1', content: result },
];

/** The places of a value in requests of four protocols. */
const PLACES: Readonly<Record<string, { readonly url: string; readonly make: (text: string, word: string) => Json }>> =
  {
    'the prompt of Chat Completions': {
      url: 'https://api.openai.com/v1/chat/completions',
      make: (text, word) => ({ model: 'm', messages: [{ role: 'user', content: `${word} ${text} please` }] }),
    },
    'the result of a tool': {
      url: 'https://api.openai.com/v1/chat/completions',
      make: (text, word) => ({ model: 'm', messages: afterTool(word, JSON.stringify({ found: text })) }),
    },
    'the instructions of Anthropic': {
      url: 'https://api.anthropic.com/v1/messages',
      make: (text, word) => ({
        model: 'm',
        max_tokens: 9,
        system: `Use ${text}.`,
        messages: [{ role: 'user', content: word }],
      }),
    },
    'a text of Gemini': {
      url: 'https://generativelanguage.googleapis.com/v1beta/models/g:generateContent',
      make: (text, word) => ({ contents: [{ role: 'user', parts: [{ text: `${word}: ${text}` }] }] }),
    },
    'the input of Responses': {
      url: 'https://api.openai.com/v1/responses',
      make: (text, word) => ({
        model: 'm',
        input: [{ role: 'user', content: [{ type: 'input_text', text: `${word} (${text})` }] }],
      }),
    },
  };

const pair = fc
  .constantFrom(...Object.entries(VOLATILE).flatMap(([preset, kinds]) => kinds.map((values) => ({ preset, values }))))
  .chain(({ preset, values }) =>
    fc.record({
      preset: fc.constant(preset),
      values: fc.tuple(values, values),
      place: fc.constantFrom(...Object.keys(PLACES)),
    }),
  )
  .filter(({ values: [before, after] }) => before !== after);

describe('requests that differ in a volatile value', () => {
  it('match under its preset, are named without, and match under each mask that is proposed', () => {
    fc.assert(
      fc.property(pair, ({ preset, values: [before, after], place }) => {
        const { url, make } = PLACES[place] ?? assert.fail(place);
        const [recorded, now] = [make(before, 'Find'), make(after, 'Find')];
        const masked = matchOf(recorded, now, { url, masks: [preset] });
        assert.equal(masked.kind, 'masked', 'masked');
        const drift = matchOf(recorded, now, { url });
        assert.ok('explain' in drift && drift.kind === 'drifted', `unmasked: ${drift.kind}`);
        const { changes, masks } = drift.explain();
        assert.ok(JSON.stringify(changes).includes(after.slice(-2)), 'what differs is named');
        assert.notEqual(masks.length, 0, 'masks are proposed');
        const proposed = matchOf(recorded, now, { url, masks: masks.map(formatMask) });
        assert.equal(proposed.kind, 'masked', `proposed: ${masks.map(formatMask)}`);
        const other = matchOf(recorded, make(after, 'Forget'), { url, masks: [preset, ...masks.map(formatMask)] });
        assert.notEqual(other.kind, 'masked', 'another word is another request');
      }),
      { numRuns: 200 },
    );
  });
});
