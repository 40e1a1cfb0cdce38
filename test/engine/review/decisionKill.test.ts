import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { writeArtifact, writeBaseline } from '../../../src/core/cases/artifactFile';
import { mofaFormat } from '../../../src/core/tapes/formats/mofa/index';
import { artifactOf } from '../../core/cases/artifacts';
import { say, turn } from '../../core/review/recordings';
import { inFolder } from '../../harness/support';

const ROUNDS = 15;
const LONGEST_LIFE_MS = 200;
const RUNS = ['one', 'two'].map((text) => artifactOf({ output_text: text.repeat(2000) }));
const tape = (answer: string) =>
  mofaFormat.serialise?.('case', [turn([say('user', 'Tell me')], answer.repeat(2000))]) ?? '';
const [OLD, NEW] = [tape('old '), tape('new ')];

describe('a decision that is killed', function () {
  this.timeout(120_000);

  it('leaves the old file or the new one, whole', async function () {
    if (process.platform === 'win32') return this.skip();
    await inFolder(async (root) => {
      const child = join(root, 'child.cjs');
      await build({
        entryPoints: [join(__dirname, 'decisionKillChild.ts')],
        outfile: child,
        bundle: true,
        platform: 'node',
      });
      await mkdir(join(root, '.tapedeck/runs'), { recursive: true });
      const [first, second] = RUNS;
      assert.ok(first && second);
      await writeFile(join(root, 'first.artifact.json'), writeArtifact(first));
      await writeFile(join(root, 'second.artifact.json'), writeArtifact(second));
      await writeFile(join(root, 'a.baseline.json'), writeBaseline(second));
      await writeFile(join(root, 'old.json'), OLD);
      await writeFile(join(root, 'new.json'), NEW);
      const baselines = RUNS.map(writeBaseline);
      const seen = new Set<string>();
      for (let round = 0; round < ROUNDS; round += 1) {
        const rejecting = await decideUntilKilled(child, root);
        const baseline = await readFile(join(root, 'a.baseline.json'), 'utf8');
        assert.ok(baselines.includes(baseline), 'the baseline is one of the two, whole');
        const text = await readFile(join(root, 'a.tape.json'), 'utf8').catch(() => OLD);
        // The test itself writes the new tape, and may be killed in that; the rejection may not tear it.
        if (rejecting) assert.ok(text === OLD || text === NEW, 'the tape is one of the two, whole');
        seen.add(baseline);
        JSON.parse(await readFile(join(root, '.tapedeck/reviews/a.json'), 'utf8').catch(() => '{}'));
      }
      assert.ok(seen.size > 0);
    });
  });
});

/** True when it was about to put the tape back. */
async function decideUntilKilled(script: string, root: string): Promise<boolean> {
  const child = spawn(process.execPath, [script, root], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (said === '') setTimeout(() => child.kill('SIGKILL'), Math.random() * LONGEST_LIFE_MS);
    said += text;
  });
  const signal = await new Promise((settle) => child.on('close', (_code, killedBy) => settle(killedBy)));
  assert.equal(signal, 'SIGKILL', 'the child decided until it was killed');
  return said.trimEnd().split('\n').at(-1)?.startsWith('reject') ?? false;
}
