import assert from 'node:assert/strict';
import fc from 'fast-check';
import { filesInShard, isInShard, type TimedFile } from '../../../src/core/project/shard';

const path = fc.stringMatching(/^[a-z]{1,3}\/[a-z0-9]{1,4}\.toml$/);
const timed: fc.Arbitrary<readonly TimedFile[]> = fc.uniqueArray(
  fc.record({ path, durationMs: fc.oneof(fc.nat(100), fc.nat(100_000)) }, { requiredKeys: ['path'] }),
  { selector: ({ path: name }) => name, maxLength: 60 },
);
const counts = fc.integer({ min: 1, max: 8 });
const shardsOf = (files: readonly TimedFile[], count: number) =>
  Array.from({ length: count }, (_, index) => [...filesInShard(files, { index: index + 1, count })]);

describe('a shard of files', () => {
  it('has every file once, whatever their times', () => {
    fc.assert(
      fc.property(timed, counts, (files, count) => {
        const all = shardsOf(files, count).flat().sort();
        assert.deepEqual(all, files.map((file) => file.path).sort());
      }),
    );
  });

  it('is the same in any order of the files', () => {
    const shuffled = timed.chain((files) =>
      fc.tuple(fc.constant(files), fc.shuffledSubarray([...files], { minLength: files.length })),
    );
    fc.assert(
      fc.property(shuffled, counts, ([files, others], count) => {
        const sorted = (shards: string[][]) => shards.map((paths) => paths.sort());
        assert.deepEqual(sorted(shardsOf(files, count)), sorted(shardsOf(others, count)));
      }),
    );
  });

  it('takes no longer than the best split by more than the longest file', () => {
    const known = timed.map((files) => files.map((file) => ({ durationMs: 0, ...file })));
    fc.assert(
      fc.property(known, counts, (files, count) => {
        if (files.length === 0) return;
        const timeOf = new Map(files.map((file) => [file.path, file.durationMs]));
        const loads = shardsOf(files, count).map((paths) =>
          paths.reduce((sum, one) => sum + (timeOf.get(one) ?? 0), 0),
        );
        const total = files.reduce((sum, { durationMs }) => sum + durationMs, 0);
        const longest = Math.max(...timeOf.values());
        const atLeast = Math.max(total / count, longest);
        assert.ok(Math.max(...loads) <= atLeast + longest, `${loads} of ${total}, longest ${longest}`);
        assert.ok(Math.max(...loads) - Math.min(...loads) <= longest);
      }),
    );
  });

  it('has the same files by their paths, whatever others there are', () => {
    fc.assert(
      fc.property(path, counts, (one, count) => {
        const shards = Array.from({ length: count }, (_, at) => at + 1);
        assert.equal(shards.filter((index) => isInShard(one, { index, count })).length, 1);
      }),
    );
  });

  it('has as many files as any other where no time is known', () => {
    fc.assert(
      fc.property(fc.uniqueArray(path), counts, (paths, count) => {
        const untimed = paths.map((one) => ({ path: one }));
        const sizes = shardsOf(untimed, count).map(({ length }) => length);
        assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1, `${sizes}`);
        assert.deepEqual(shardsOf([...untimed].reverse(), count), shardsOf(untimed, count));
      }),
    );
  });
});
