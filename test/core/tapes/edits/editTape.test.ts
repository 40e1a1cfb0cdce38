import assert from 'node:assert/strict';
import { redactValue } from '../../../../src/core/secrets/redactTape';
import { editTape } from '../../../../src/core/tapes/edits/editTape';
import type { TapeEdit } from '../../../../src/core/tapes/format';
import { hashOfCassette } from '../../../../src/core/tapes/formats/checkagent/edit';
import { writeCassette } from '../../../../src/core/tapes/formats/checkagent/write';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { applySplices } from '../../../../src/core/text/splice';

interface Edited {
  readonly text: string;
  readonly dependents: readonly string[];
}

function edited(text: string, edit: TapeEdit): Edited {
  const outcome = editTape(tapeFileFromText(text), edit, redactValue);
  assert.ok('splices' in outcome, 'refused' in outcome ? outcome.refused : '');
  return { text: applySplices(text, outcome.splices), dependents: outcome.dependents };
}

function refusal(text: string, edit: TapeEdit): string {
  const outcome = editTape(tapeFileFromText(text), edit, redactValue);
  assert.ok('refused' in outcome, JSON.stringify(outcome));
  return outcome.refused;
}

const MOFA = `{
  "version": 1,
  "case_name": "orders",
  "interactions": [
    {
      "request": null, "response": "",
      "tool_calls": [ { "id": "a", "name": "f", "arguments": {"city": "Paris", "n": 1.50} } ],
      "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    },
    { "request": null, "response": "Hello",   "tool_calls": [], "usage": null }
  ]
}`;

const CASSETTE = `interactions:
- request:
    body: '{"model": "gpt-4o", "messages": [{"role": "user", "content": "hi"}]}'
    headers: {}
    method: POST
    uri: https://api.openai.com/v1/chat/completions
  response:
    body:
      string: '{"choices": [{"message": {"role": "assistant", "content": "Hello"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}}'
    headers:
      content-length:
      - '169'
    status:
      code: 200
      message: OK
# kept
version: 1
`;

describe('editTape', () => {
  it('changes one argument of a call, and leaves the digits of the others', () => {
    const { text } = edited(MOFA, { type: 'arguments', interaction: 0, call: 0, json: '{"city": "Rome", "n": 1.5}' });
    assert.equal(text, MOFA.replace('Paris', 'Rome'));
  });

  it('writes other arguments in the manner of the old ones', () => {
    const { text } = edited(MOFA, { type: 'arguments', interaction: 0, call: 0, json: '{"zip":[1,2]}' });
    assert.equal(text, MOFA.replace('{"city": "Paris", "n": 1.50}', '{"zip": [1, 2]}'));
  });

  it('lets the total follow the counts', () => {
    const { text } = edited(MOFA, { type: 'usage', interaction: 0, usage: { completionTokens: 7 } });
    assert.equal(text, MOFA.replace('"completion_tokens": 5', '"completion_tokens": 7').replace('15}', '17}'));
  });

  it('deletes, duplicates and moves interactions with the white space that the list has', () => {
    const item = '{ "request": null, "response": "Hello",   "tool_calls": [], "usage": null }';
    const without = edited(MOFA, { type: 'delete', interaction: 0 }).text;
    assert.match(without, /"interactions": \[\n {4}\{ "request": null, "response": "Hello"/);
    assert.equal(edited(MOFA, { type: 'duplicate', interaction: 1 }).text, MOFA.replace(item, `${item},\n    ${item}`));
    const moved = edited(MOFA, { type: 'move', interaction: 1, by: -1 }).text;
    assert.equal(edited(moved, { type: 'move', interaction: 0, by: 1 }).text, MOFA);
    const none = edited(without, { type: 'delete', interaction: 0 }).text;
    assert.match(none, /"interactions": \[\]/);
  });

  it('keeps the reason of a status, the lengths and the comments of YAML right', () => {
    const failed = edited(CASSETTE, { type: 'status', interaction: 0, status: 429 });
    assert.equal(
      failed.text,
      CASSETTE.replace('code: 200\n      message: OK', 'code: 429\n      message: Too Many Requests'),
    );
    assert.deepEqual(failed.dependents, ['message']);
    const counted = edited(CASSETTE, { type: 'usage', interaction: 0, usage: { promptTokens: 10 } });
    assert.equal(
      counted.text,
      CASSETTE.replace('"prompt_tokens": 9', '"prompt_tokens": 10').replace(': 11}', ': 12}').replace("'169'", "'170'"),
    );
    assert.deepEqual(counted.dependents, ['content-length']);
    assert.match(edited(CASSETTE, { type: 'delete', interaction: 0 }).text, /^interactions: \[\]\n# kept\n/);
  });

  it('computes the hash of a cassette again, if it was right', () => {
    const exchange = {
      request: { messages: [], tools: [], params: {} },
      response: { content: 'Hello', toolCalls: [] },
    };
    const cassette = writeCassette('t', [exchange, exchange]);
    const { text, dependents } = edited(cassette, { type: 'delete', interaction: 0 });
    assert.deepEqual(dependents, ['sequence', 'content_hash']);
    assert.ok(text.includes(hashOfCassette(text) ?? '?'));
    const wrong = cassette.replace(/("content_hash": ")./, '$1x');
    assert.deepEqual(edited(wrong, { type: 'delete', interaction: 0 }).dependents, ['sequence']);
  });

  it('changes lines of JSON as lines', () => {
    const line = (key: string): string =>
      `{"key": "${key}", "kind": "completion", "model": "m", "prompt_preview": "x", "response": {"choices": [{"message": {"role": "assistant", "content": "${key}"}}]}}`;
    const text = `${line('a')}\n${line('b')}\n`;
    assert.equal(edited(text, { type: 'move', interaction: 0, by: 1 }).text, `${line('b')}\n${line('a')}\n`);
    assert.equal(edited(text, { type: 'delete', interaction: 1 }).text, `${line('a')}\n`);
    assert.equal(edited(text, { type: 'duplicate', interaction: 1 }).text, `${text}${line('b')}\n`);
  });

  it('takes a value out everywhere', () => {
    const secret = MOFA.replace('Hello', 'key sk-4Hq8Zt1VbN7x').replace('Paris', 'sk-4Hq8Zt1VbN7x');
    const { text } = edited(secret, { type: 'redact', value: 'sk-4Hq8Zt1VbN7x' });
    assert.equal(text, secret.replaceAll('sk-4Hq8Zt1VbN7x', 'REDACTED-1'));
    assert.match(refusal(MOFA, { type: 'redact', value: 'nowhere' }), /is not on the tape/);
  });

  it('says why it refuses', () => {
    assert.match(refusal(MOFA, { type: 'response-text', interaction: 9, text: 'x' }), /no interaction 10/);
    assert.match(refusal(MOFA, { type: 'status', interaction: 0, status: 500 }), /not record the HTTP status/);
    assert.match(refusal(MOFA, { type: 'move', interaction: 1, by: 1 }), /no other interaction/);
    assert.match(refusal('{"x": 1}', { type: 'delete', interaction: 0 }), /not in a tape format/);
    const readOnly =
      '{"type":"session_meta","payload":{"id":"x","cli_version":"1"},"timestamp":"2025-01-01T00:00:00Z"}\n';
    assert.match(refusal(readOnly, { type: 'delete', interaction: 0 }), /can only read this format/);
  });
});
