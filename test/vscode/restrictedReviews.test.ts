import * as assert from 'node:assert/strict';
import type { EngineClient } from '../../src/host/engine/engineClient';
import { EngineFileReviews } from '../../src/host/engine/engineReviews';

describe('the reviews of an untrusted workspace', () => {
  it('start no engine, which would ask git: its configuration may name programs', async () => {
    const started: unknown[] = [];
    const engine = { call: (method: unknown) => Promise.resolve(started.push(method)) } as unknown as EngineClient;
    const reviews = new EngineFileReviews(engine, () => {
      throw new Error('not trusted');
    });
    const methods = ['read', 'texts', 'accept', 'reject', 'undo', 'stage', 'stageAccepted', 'changesSince'] as const;
    for (const method of [...methods, 'restoreRejected', 'list'] as const) {
      const call = reviews[method].bind(reviews) as (...args: unknown[]) => Promise<unknown>;
      await assert.rejects(async () => call({}), /not trusted/, method);
    }
    assert.deepEqual(started, []);
    const others = Object.getOwnPropertyNames(EngineFileReviews.prototype).filter((name) => name !== 'constructor');
    assert.deepEqual(
      others.filter((name) => !(methods as readonly string[]).includes(name)),
      ['restoreRejected'],
      'a new method is tried here, too',
    );
  });
});
