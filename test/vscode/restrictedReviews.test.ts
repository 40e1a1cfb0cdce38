import * as assert from 'node:assert/strict';
import { engineReviewsCalls } from '../../src/contracts/engine/engineReviews';
import { takesCalls } from '../../src/contracts/engine/takes';
import type { EngineClient } from '../../src/host/engine/engineClient';
import { EngineReviews } from '../../src/host/engine/engineReviews';

describe('the reviews of an untrusted workspace', () => {
  it('start no engine, because it runs git, whose configuration may name programs', async () => {
    const started: unknown[] = [];
    const engine = { call: (method: unknown) => Promise.resolve(started.push(method)) } as unknown as EngineClient;
    const changed: unknown[] = [];
    const reviews = new EngineReviews(
      engine,
      () => {
        throw new Error('not trusted');
      },
      (uri) => changed.push(uri),
    );
    // Every call of the contract, so that a new one is tried here, too.
    const methods = Object.keys({ ...engineReviewsCalls, ...takesCalls }) as (
      | keyof typeof engineReviewsCalls
      | keyof typeof takesCalls
    )[];
    for (const method of [...methods, 'changesSince'] as const) {
      const call = reviews[method] as (params: unknown) => Promise<unknown>;
      await assert.rejects(async () => call({}), /not trusted/, method);
    }
    assert.deepEqual([started, changed], [[], []]);
  });
});
