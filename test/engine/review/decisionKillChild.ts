import { writeSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { Decision } from '../../../src/core/review/decisions';
import { Reviews } from '../../../src/engine/review/decide';
import type { ReviewSubject } from '../../../src/protocol/review';

const RUN: ReviewSubject = { kind: 'run', path: 'a.toml' };
const TAPE: ReviewSubject = { kind: 'tape', path: 'a.tape.json' };
const TAKES = '.tapedeck/takes/a.tape.json';

/** node decisionKillChild.js ROOT   accepts a run and restores a tape, over and over, until it is killed. */
async function decideForEver([root = '']: readonly string[]): Promise<void> {
  const [old, now] = [await readFile(`${root}/old.json`), await readFile(`${root}/new.json`)];
  await mkdir(`${root}/${TAKES}`, { recursive: true });
  await writeFile(`${root}/${TAKES}/2026-01-01T00-00-00.000Z.json`, old);
  for (let round = 0; ; round += 1) {
    const baseline = round % 2 === 0 ? 'first' : 'second';
    const artifact = await readFile(`${root}/${baseline}.artifact.json`);
    await writeFile(`${root}/.tapedeck/runs/a.artifact.json`, artifact);
    writeSync(1, `round ${round}\n`);
    await decideAll(root, RUN, 'accepted');
    await writeFile(`${root}/a.tape.json`, now);
    writeSync(1, `reject ${round}\n`);
    await decideAll(root, TAPE, 'rejected');
  }
}

async function decideAll(root: string, subject: ReviewSubject, verdict: Decision): Promise<void> {
  const reviews = new Reviews();
  const review = await reviews.open({ root, subject });
  if (review === undefined) throw new Error(`${subject.path} has no review`);
  const changes = review.changes.map(({ id }) => id);
  await reviews.decide({ root, subject, verdict, changes, stamp: review.stamp });
}

void decideForEver(process.argv.slice(2));
