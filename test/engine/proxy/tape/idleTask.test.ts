import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { IdleTask, type Pause } from '../../../../src/engine/proxy/tape/idleTask';

/** Notes its steps. */
function counting(steps: number): { readonly done: () => number; run(pause: Pause): Promise<void> } {
  let done = 0;
  return {
    done: () => done,
    run: async (pause) => {
      for (let step = 0; step < steps; step += 1) {
        await pause();
        done += 1;
        // Longer than a slice.
        for (const start = performance.now(); performance.now() - start < 12; );
      }
    },
  };
}

async function until(holds: () => boolean): Promise<void> {
  for (let wait = 0; !holds() && wait < 200; wait += 1) await delay(25);
  assert.ok(holds());
}

describe('A task for when nothing else is to be done', () => {
  it('begins a while after it was asked for, and goes on from where it was postponed', async () => {
    const { run, done } = counting(20);
    const task = new IdleTask(run);
    task.postpone();
    await delay(50);
    assert.equal(done(), 0);
    await until(() => done() > 0);
    task.postpone();
    const before = done();
    await delay(100);
    assert.ok(done() <= before + 1, 'it waits');
    await until(() => done() === 20);
  });

  it('is done at once where it has to be finished', async () => {
    const { run, done } = counting(3);
    await new IdleTask(run).finish();
    assert.equal(done(), 3);
  });

  it('does nothing more once it has ended', async () => {
    const { run, done } = counting(50);
    const task = new IdleTask(run);
    task.postpone();
    await until(() => done() > 0);
    task.end();
    await delay(50);
    const before = done();
    await delay(400);
    assert.equal(done(), before);
  });
});
