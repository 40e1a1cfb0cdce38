import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { ExactIndex, exactKey } from '../../../../src/engine/proxy/tape/exactIndex';

describe('the key of a request', () => {
  it('is the SHA-256 of method, path and body, however long they are', () => {
    for (const length of [0, 1, 2_000, 65_500, 65_536, 70_000])
      for (const path of ['/chat/completions', '/models/größe?q=日本'])
        for (const body of [Buffer.alloc(length, 'ab'), new Uint8Array(length).fill(200)]) {
          const expected = createHash('sha256').update(`POST ${path}\n`).update(body).digest('binary');
          assert.equal(exactKey('POST', path, body), expected, `${path}, ${length}`);
        }
  });
});

describe('the recordings of equal requests', () => {
  const indexOf = (places: Readonly<Record<string, readonly number[]>>, repeat: boolean) =>
    new ExactIndex((key) => places[key] ?? [], repeat);

  it('are taken in their order, by each session for itself, and counted', () => {
    const index = indexOf({ a: [0, 3], b: [1] }, false);
    const taken = (key: string, session?: string) => index.take(key, session);
    assert.deepEqual([taken('a'), taken('a'), taken('a'), taken('c')], [0, 3, undefined, undefined]);
    assert.deepEqual([taken('a', 'other'), taken('b', 'other')], [0, 1]);
    assert.deepEqual(
      index.served().map(({ places, count, sessionId }) => `${sessionId} ${places.join()}: ${count}`),
      [' 0,3: 2', 'other 0,3: 1', 'other 1: 1'],
    );
  });

  it('are taken again from the last on where they repeat', () => {
    const index = indexOf({ a: [0, 1] }, true);
    assert.deepEqual([index.take('a'), index.take('a'), index.take('a')], [0, 1, 1]);
    assert.deepEqual(
      index.served().map(({ count }) => count),
      [2],
    );
  });
});
