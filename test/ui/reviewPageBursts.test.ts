import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { ReviewPages } from '../harness/pages/reviewPages';
import { KeyModel, ReviewWorld } from '../harness/pages/reviewWorld';
import { CHANGES, reviewOf } from './reviewPageChanges';

const LENGTHS = [3, 2, 4];
const KEYS = ['a', 'a', 'a', 'r', 'r', 'z', 'n', 'p'];
const BURSTS = 12;

/** Numbers below 1 that are the same each time. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield state / 2 ** 31;
  }
}

describe('bursts of keys in the review', () => {
  let pages: ReviewPages;
  before(async () => {
    pages = await ReviewPages.start();
  });
  after(() => pages.stop());

  const [change] = CHANGES;
  assert.ok(change);
  const template = { state: reviewOf({}), change };

  for (let burst = 1; burst <= BURSTS; burst += 1)
    it(`mean what they mean when typed slowly: burst ${burst}`, async () => {
      const random = numbers(burst);
      const below = (limit: number): number => Math.floor(random.next().value * limit);
      const keys = Array.from({ length: 4 + below(8) }, () => KEYS[below(KEYS.length)] ?? 'a');
      const latency = below(150);
      const world = new ReviewWorld(LENGTHS, template, () => wait(latency));
      const { page } = await pages.open(world);
      await page.locator('.change').first().waitFor();
      const model = new KeyModel(LENGTHS);
      for (const key of keys) {
        model.press(key);
        await page.keyboard.press(key);
        await wait(20 + below(280));
      }
      const { files, selected } = model.reviewed;
      const decided = () => world.files.map(({ decisions }) => decisions);
      for (let tries = 0; tries < 200 && JSON.stringify(decided()) !== JSON.stringify(files); tries += 1)
        await wait(20);
      await page.locator('main[aria-busy="false"]').waitFor();
      assert.deepEqual([keys.join(' '), decided(), world.refused], [keys.join(' '), files, []]);
      const shown = page.locator('.change[aria-current="true"]');
      if (selected === undefined) await shown.waitFor({ state: 'detached' });
      else await shown.filter({ hasText: `Change ${selected}` }).waitFor();
      await pages.close(page);
    });

  it('show a decision at once, while the host still makes it', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const world = new ReviewWorld([3], template, () => held);
    const { page } = await pages.open(world);
    await page.locator('.change').first().waitFor();
    await page.keyboard.press('a');
    await page.keyboard.press('r');
    await page.locator('.change[aria-current="true"]').filter({ hasText: 'Change 2' }).waitFor();
    assert.equal(await page.locator('main').getAttribute('aria-busy'), 'true');
    assert.deepEqual(world.files[0]?.decisions, ['open', 'open', 'open']);
    release();
    await page.locator('main[aria-busy="false"]').waitFor();
    assert.deepEqual(world.files[0]?.decisions, ['accepted', 'rejected', 'open']);
    await pages.close(page);
  });
});
