import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { CappedText } from '../../../src/engine/process/runProcess';

async function capped(text: string): Promise<string> {
  const stream = new PassThrough();
  const kept = new CappedText(stream);
  stream.end(text);
  await kept.ended(5000);
  return kept.text();
}

describe('the output of a process that is too long to keep', () => {
  const KEY = 'ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5';

  it('is cut between words, so that no key is left in half', async () => {
    for (let shift = 0; shift < KEY.length; shift += 3) {
      const before = `${'a '.repeat(128 * 1024 - 10)}${'b'.repeat(20 - shift > 0 ? 20 - shift : 0)} `;
      const after = ` ${'c '.repeat(600 * 1024)}`;
      const text = await capped(`${before.slice(0, 256 * 1024 - shift)}${KEY}${after}`);
      assert.match(text, /characters left out/);
      assert.ok(text.includes(KEY) || !text.includes(KEY.slice(0, 8)), `cut after ${shift} characters`);
    }
  });

  it('is kept whole where there is room', async () => {
    const text = `${'a '.repeat(1000)}${KEY}`;
    assert.equal(await capped(text), text);
  });
});
