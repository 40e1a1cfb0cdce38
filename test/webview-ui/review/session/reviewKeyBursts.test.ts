import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { connect } from '../../../../src/contracts/contract';
import { reviewPage } from '../../../../src/contracts/pages/reviewPanel';
import type { Channel } from '../../../../src/contracts/rpc/rpc';
import { reviewActions } from '../../../../webview-ui/review/session/reviewActions';
import { actionOf } from '../../../../webview-ui/review/session/reviewKeys';
import { ReviewSession } from '../../../../webview-ui/review/session/reviewSession';
import { KeyModel, type Reviewed, ReviewWorld } from '../../../harness/pages/reviewWorld';
import { channelPair } from '../channelPair';
import { changesNamed, reviewState } from '../reviewFixtures';

const [change] = changesNamed('any');
assert.ok(change);
const TEMPLATE = { state: reviewState(), change };
const LENGTHS = [3, 2, 4];

/** Types keys with pauses between them, and returns what is decided and shown in the end. */
async function typed(burst: readonly (readonly [key: string, pause: number])[], host: number): Promise<Reviewed> {
  const [here, there]: readonly [Channel, Channel] = channelPair();
  const world = new ReviewWorld(LENGTHS, TEMPLATE, () => wait(host));
  world.serve(here);
  const session = new ReviewSession(connect(reviewPage, there));
  const shown = new Promise<void>((resolve) => session.onChange(({ state }) => state && resolve()));
  session.open();
  await shown;
  const actions = reviewActions(session, () => undefined);
  for (const [key, pause] of burst) {
    const action = actionOf({ key, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, repeat: false });
    if (action !== undefined) actions[action]();
    await wait(pause);
  }
  await new Promise<void>((resolve) => session.inTurn(resolve));
  while (session.view.busy) await wait(1);
  assert.deepEqual(world.refused, []);
  const { state, selected } = session.view;
  return {
    files: world.files.map(({ decisions }) => decisions),
    file: (state?.queue.position ?? 0) - 1,
    selected: selected === undefined ? undefined : Number(selected.split('.')[1]),
  };
}

describe('the keys of a review', () => {
  it('mean the same, however fast they are typed and however slow the host is', async () => {
    const key = fc.constantFrom('a', 'a', 'a', 'r', 'r', 'z', 'n', 'p');
    const burst = fc.array(fc.tuple(key, fc.integer({ min: 0, max: 6 })), { minLength: 1, maxLength: 14 });
    const property = fc.asyncProperty(burst, fc.integer({ min: 0, max: 5 }), async (keys, host) => {
      const model = new KeyModel(LENGTHS);
      for (const [one] of keys) model.press(one);
      assert.deepEqual(await typed(keys, host), model.reviewed);
    });
    await fc.assert(property, { numRuns: 200 });
  });
});
