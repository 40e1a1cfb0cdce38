import assert from 'node:assert/strict';
import type { Json } from '../../../../src/core/json/json';
import { reviewBytes } from '../../../soak/edits/reviewBytes';

type Body = Readonly<Record<string, Json>>;

const URL = 'https://api.openai.com/v1/chat/completions';
const RESPONSE = {
  object: 'chat.completion',
  model: 'gpt-4o',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Yes' } }],
};

function requestOf(body: Body): Body {
  return { model: 'gpt-4o', messages: [{ role: 'user', content: 'How is it?' }], ...body };
}

const FORMATS: Readonly<Record<string, (body: Body) => string>> = {
  'a.tape.jsonl': (body) =>
    [
      { tapedeck: 'tape', version: 1, name: 'case' },
      { request: 1, method: 'POST', url: URL, json: requestOf(body) },
      { response: 1, status: 200, headers: [], json: RESPONSE },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  'a.json': (body) => {
    const request = { method: 'POST', uri: URL, body: JSON.stringify(requestOf(body)), headers: {} };
    const headers = { 'content-type': ['application/json'] };
    const response = { status: { code: 200, message: 'OK' }, headers, body: { string: JSON.stringify(RESPONSE) } };
    return JSON.stringify({ version: 1, interactions: [{ request, response }] });
  },
};

const [TEXT, COUNT] = [{ type: 'string' }, { type: 'integer' }];
const tool = (parameters: Json) => ({ tools: [{ type: 'function', function: { name: 'book', parameters } }] });
const format = (properties: Json) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'r', schema: { type: 'object', properties } } },
});

describe('another order of members', () => {
  for (const [path, write] of Object.entries(FORMATS)) {
    const review = (before: Body, after: Body) =>
      reviewBytes(path, Buffer.from(write(before)), Buffer.from(write(after)));

    it(`is a change in a schema, which models follow: ${path}`, () => {
      const cases: readonly (readonly [before: Body, after: Body, title: string])[] = [
        [
          tool({ type: 'object', properties: { a: TEXT, b: COUNT } }),
          tool({ type: 'object', properties: { b: COUNT, a: TEXT } }),
          'Order of members of book',
        ],
        [
          tool({ type: 'object', properties: { a: { type: 'object', properties: { c: TEXT, d: TEXT } } } }),
          tool({ type: 'object', properties: { a: { type: 'object', properties: { d: TEXT, c: TEXT } } } }),
          'Order of members of book',
        ],
        [format({ a: TEXT, b: COUNT }), format({ b: COUNT, a: TEXT }), 'Order of members of response_format'],
      ];
      for (const [before, after, title] of cases) {
        const { shown, take } = review(before, after);
        assert.deepEqual(shown, [title]);
        const taken = take([title]);
        assert.ok('bytes' in taken && Buffer.from(taken.bytes).equals(Buffer.from(write(after))));
      }
    });

    it(`is none of a body, whose members have names: ${path}`, () => {
      assert.deepEqual(review({ temperature: 1, top_p: 0.5 }, { top_p: 0.5, temperature: 1 }).shown, []);
    });

    it(`is told with another edit of the schema as that: ${path}`, () => {
      const [before, after] = [
        { a: TEXT, b: COUNT },
        { b: TEXT, a: TEXT },
      ].map((properties) => tool({ type: 'object', properties }));
      assert.deepEqual(review(before ?? {}, after ?? {}).shown, ['Definition of book']);
    });
  }
});
