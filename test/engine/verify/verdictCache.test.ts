import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Environment } from '../../../src/core/secrets/environmentSecrets';
import type { FileIdentity } from '../../../src/engine/files/fileStatus';
import { Recorder } from '../../../src/engine/recording/recorder';
import { type Verdict, VerdictCache } from '../../../src/engine/verify/verdictCache';
import { buildEngine, inProject, tapeOf } from '../../harness/builtEngine';
import { inFolder } from '../../harness/support';

const SECRET = 'plainoldsecret99';
const VERDICT: Verdict = { format: 'mofa', interactions: 3 };
const state = (size: number): FileIdentity => ({ size: `${size}`, modified: '1', changed: '1', inode: '1' });

async function inMarked(test: (root: string) => Promise<void>): Promise<void> {
  await inFolder(async (root) => {
    await writeFile(join(root, 'tapedeck.toml'), '');
    await test(root);
  });
}

async function open(root: string, environment: Environment = {}): Promise<VerdictCache> {
  const recorder = new Recorder({ environments: [environment], keys: {}, patterns: [] });
  return (await VerdictCache.open(root, recorder)) ?? assert.fail('a project');
}

describe('verdicts that are kept', () => {
  it('are found again for the same state of the same file', async () => {
    await inMarked(async (root) => {
      const kept = await open(root);
      kept.keep(join(root, 'a.json'), state(1), VERDICT);
      kept.keep(join(root, 'b.json'), state(1), 'other');
      await kept.save();
      const again = await open(root);
      assert.deepEqual(again.find(join(root, 'a.json'), state(1)), VERDICT);
      assert.equal(again.find(join(root, 'b.json'), state(1)), 'other');
      assert.equal(again.find(join(root, 'a.json'), state(2)), undefined);
      assert.equal(again.find(join(root, 'c.json'), state(1)), undefined);
    });
  });

  it('count neither with other secrets nor after somebody wrote them', async () => {
    await inMarked(async (root) => {
      const path = join(root, 'a.json');
      const kept = await open(root, { DB_PASSWORD: SECRET });
      kept.keep(path, state(1), VERDICT);
      await kept.save();
      assert.deepEqual((await open(root, { DB_PASSWORD: SECRET })).find(path, state(1)), VERDICT);
      assert.equal((await open(root)).find(path, state(1)), undefined);
      const file = join(root, '.tapedeck/cache/verified.json');
      const text = await readFile(file, 'utf8');
      assert.ok(!text.includes(SECRET));
      for (const forged of [
        text.replace('"mofa",3', '"mofa",4'),
        text.slice(text.indexOf('\n')),
        '',
        '\n[',
        'x'.repeat(64),
      ]) {
        await writeFile(file, forged);
        assert.equal((await open(root, { DB_PASSWORD: SECRET })).find(path, state(1)), undefined);
      }
    });
  });

  it('are not kept of a file that has just changed, nor in a folder that is no project', async () => {
    await inFolder(async (root) => {
      assert.equal(
        await VerdictCache.open(root, new Recorder({ environments: [], keys: {}, patterns: [] })),
        undefined,
      );
      await writeFile(join(root, 'tapedeck.toml'), '');
      const kept = await open(root);
      const now = { ...state(1), changed: `${Date.now() * 1e6}` };
      kept.keep(join(root, 'a.json'), now, VERDICT);
      assert.equal(kept.find(join(root, 'a.json'), now), undefined);
    });
  });
});

describe('verify, again', function () {
  this.timeout(60_000);
  before(buildEngine);

  it('says the same of files that have not changed, and finds what is new in them or in the environment', async () => {
    const files = {
      'tapedeck.toml': '',
      'tapes/a.tape.json': tapeOf('a', [`the answer is ${SECRET}`]),
      'tapes/b.tape.json': tapeOf('b', ['sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY']),
      'tapes/other.json': '{"a": 1}',
    };
    await inProject(files, async (project) => {
      await wait(2_100);
      const verify = async (env: Record<string, string> = {}) =>
        (await project.cli(['verify', 'tapes', '--json'], env)).stdout;
      const first = await verify();
      assert.match(first, /secret\/openai-key|secret\//);
      assert.equal(await verify(), first);
      const kept = await readFile(join(project.root, '.tapedeck/cache/verified.json'), 'utf8');
      assert.match(kept, /a\.tape\.json/);
      assert.doesNotMatch(kept, /b\.tape\.json/, 'what has problems is read each time');
      assert.match(await verify({ DB_PASSWORD: SECRET }), /secret\/known-value/);
      assert.equal(await verify(), first);
      await writeFile(join(project.root, 'tapes/a.tape.json'), '{"version": 1, "interactions": [');
      assert.match(await verify(), /a\.tape\.json.*"severity":\s*"error"/s);
    });
  });
});
