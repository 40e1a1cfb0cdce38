import * as assert from 'node:assert/strict';
import { untilFree } from '../../../src/engine/files/untilFree';

/** Fails with the codes, one after the other, and then succeeds. */
function failing(...codes: readonly string[]) {
  const left = [...codes];
  let tries = 0;
  return {
    tries: () => tries,
    work: () => {
      tries += 1;
      const code = left.shift();
      if (code !== undefined) throw Object.assign(new Error(code), { code });
      return 'done';
    },
  };
}

describe('what is in use', () => {
  it('is changed as soon as it is free', async () => {
    const { work, tries } = failing('EBUSY', 'EPERM', 'EACCES', 'ENOTEMPTY');
    assert.equal(await untilFree(work, 60_000), 'done');
    assert.equal(tries(), 5);
  });

  it('is given up after a while, with what the system said', async () => {
    const { work, tries } = failing(...Array.from({ length: 1000 }, () => 'EBUSY'));
    await assert.rejects(untilFree(work, 100), { code: 'EBUSY' });
    assert.ok(tries() > 1 && tries() < 20, `${tries()} tries`);
  });

  it('is tried once on systems that change what is open', async () => {
    const { work, tries } = failing('EBUSY');
    await assert.rejects(untilFree(work, 0), { code: 'EBUSY' });
    assert.equal(tries(), 1);
  });

  it('is not what is missing, or full', async () => {
    for (const code of ['ENOENT', 'ENOSPC', 'EXDEV', 'EEXIST']) {
      const { work, tries } = failing(code);
      await assert.rejects(untilFree(work, 60_000), { code });
      assert.equal(tries(), 1);
    }
  });
});
