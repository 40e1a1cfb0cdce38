import assert from 'node:assert/strict';
import { lines, review, say, turn } from '../recordings';

const A = '8c1f2b3a-0000-4000-8000-00000000000a';
const B = '8c1f2b3a-0000-4000-8000-00000000000b';

function changesOf(text: (id: string) => string, role = 'user'): readonly string[] {
  return lines(review([turn([say(role, text(A))], 'Done')], [turn([say(role, text(B))], 'Done')]).comparison);
}

describe('a UUID in a prompt', () => {
  const someones: readonly ((id: string) => string)[] = [
    (id) => `Refund customer ${id}`,
    (id) => `Refund ${id}`,
    (id) => `Refund item ${id}`,
    (id) => `The customer id is ${id}.`,
    (id) => `{"customer_id": "${id}"}`,
    (id) => `{"account": {"id": "${id}"}}`,
    (id) => `Open https://shop.example/orders/${id}`,
    (id) => `File ${id}.pdf belongs to user_id=${id}`,
    (id) => id,
  ];
  for (const text of someones)
    it(`is a change, for it may be that of another customer: ${text('…')}`, () => {
      for (const role of ['user', 'system', 'tool']) assert.equal(changesOf(text, role).length, 1, role);
    });

  const ofRun: readonly ((id: string) => string)[] = [
    (id) => `You are in session ${id}.`,
    (id) => `Session ID: ${id}`,
    (id) => `trace_id=${id}`,
    (id) => `{"request_id": "${id}", "x": 1}`,
    (id) => `See https://a.example/runs/${id}`,
    (id) => `Conversation: ${id}`,
    (id) => `Read /tmp/${id}/a.txt`,
    (id) => `The id of this session is ${id}`,
  ];
  for (const text of ofRun)
    it(`is noise behind the name of something of the run: ${text('…')}`, () => {
      assert.deepEqual(changesOf(text), []);
    });
});
