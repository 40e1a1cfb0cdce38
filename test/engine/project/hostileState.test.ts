import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultsIn, makeTemplate, Random, Tree } from '../../soak/ownState/hostileTrees';

describe('a .tapedeck that came from a stranger', function () {
  if (process.platform === 'win32') return;
  this.timeout(240_000);
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tapedeck-own-state-')));
  let template = '';
  before(async () => {
    template = await makeTemplate(root);
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  // The whole run is test/soak/ownState.mjs, with 300 of them.
  for (const seed of [2])
    it(`is not taken for ours, written, or removed by any command (seed ${seed})`, async () => {
      const tree = Tree.from(template, join(root, `tree-${seed}`), new Random(seed));
      assert.deepEqual(await faultsIn(tree), [], tree.attacks.join('; '));
    });

  it('is found out where it is taken for ours', async () => {
    const tree = Tree.from(template, join(root, 'tree'), new Random(1));
    tree.commit('runs/c.artifact.json', 'theirs');
    const step = (name: string, said: string, act: () => void) => ({
      name,
      mayChange: /^$/,
      run: async () => {
        act();
        return said;
      },
    });
    const faults = await faultsIn(tree, [
      step('one', '', () => tree.forge('runs/c.artifact.json', 'written')),
      step('two', '', () => rmSync(join(tree.project, 'src/main.py'))),
      step('three', 'it is canary-4711', () => tree.forge('runs/ours.json', '{}')),
    ]);
    assert.deepEqual(faults, [
      'one: project/.tapedeck/runs/c.artifact.json was written',
      'two: project/src/main.py is gone',
      'three: told it is canary-4711',
    ]);
  });
});
