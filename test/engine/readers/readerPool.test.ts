import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { ReaderPool } from '../../../src/engine/readers/readerPool';

const TASK = { name: 'none' };
const files = Array.from({ length: 400 }, (_, at) => ({ path: `/nowhere/${at}.json`, at }));

/** The sources are not built: the threads of these tests cannot start, as where a thread fails. */
describe('a pool of reading threads', () => {
  it('reads in this thread what its threads fail to read', async () => {
    const readers = new ReaderPool();
    const found = new Map<number, string>();
    const begun: string[] = [];
    const setup = {};
    for (const at of files.keys()) readers.prepare(at, TASK, setup);
    await readers.read(files, TASK, setup, {
      signal: new AbortController().signal,
      here: async ({ path }) => path,
      begin: ({ path }) => begun.push(path),
      done: ({ at }, path) => found.set(at, path),
    });
    readers.end();
    assert.deepEqual(
      [...found.keys()].sort((left, right) => left - right),
      files.map(({ at }) => at),
    );
    assert.ok([...found].every(([at, path]) => path === files[at]?.path));
    assert.deepEqual(begun.sort(), files.map(({ path }) => path).sort());
  });

  it('has ended when all that is done with its files has', async () => {
    const readers = new ReaderPool();
    let ended = 0;
    await readers.read(
      files,
      TASK,
      {},
      {
        signal: new AbortController().signal,
        here: async ({ path }) => path,
        done: async () => {
          await wait(1);
          ended += 1;
        },
      },
    );
    readers.end();
    assert.equal(ended, files.length);
  });

  it('rejects with what is wrong with a file', async () => {
    const readers = new ReaderPool();
    const here = () => Promise.reject(new Error('no'));
    const options = { signal: new AbortController().signal, here, done: () => undefined };
    for (const some of [files, files.slice(0, 3)])
      await assert.rejects(readers.read(some, TASK, {}, options), /^Error: no$/);
    readers.end();
  });

  it('can be cancelled between two files, and reads no more then', async () => {
    for (const some of [files, files.slice(0, 60)]) {
      const readers = new ReaderPool();
      const abort = new AbortController();
      let read = 0;
      const here = async () => {
        read += 1;
        const end = performance.now() + 25;
        while (performance.now() < end);
        return read;
      };
      // Only a turn of others can tell it.
      setImmediate(() => setImmediate(() => abort.abort()));
      await readers.read(some, TASK, {}, { signal: abort.signal, here, done: () => undefined });
      assert.ok(read < some.length / 2, `${read} of ${some.length}`);
    }
  });
});
