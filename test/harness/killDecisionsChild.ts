import { writeSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import type { ReviewSubject } from '../../src/contracts/engine/review';
import type { Decision } from '../../src/core/review/decisions';
import { Reviews } from '../../src/engine/review/decide';

const RUN: ReviewSubject = { kind: 'run', path: 'a.toml' };
const TAPE: ReviewSubject = { kind: 'tape', path: 'a.tape.json' };
const TAKES = '.tapedeck/takes/a.tape.json';

/** node killDecisionsChild.js ROOT   accepts a run, undoes that and accepts again, and takes back a tape, until it is killed. */
async function decideForEver([root = '']: readonly string[]): Promise<void> {
  const [old, now] = [await readFile(`${root}/old.json`), await readFile(`${root}/new.json`)];
  await mkdir(`${root}/${TAKES}`, { recursive: true });
  await writeFile(`${root}/${TAKES}/2026-01-01T00-00-00.000Z.json`, old);
  for (let round = 0; ; round += 1) {
    const baseline = round % 2 === 0 ? 'first' : 'second';
    const artifact = await readFile(`${root}/${baseline}.artifact.json`);
    await writeFile(`${root}/.tapedeck/runs/a.artifact.json`, artifact);
    const reviews = new Reviews();
    writeSync(1, `accept ${round}\n`);
    const isAccepted = await decideAll(reviews, root, RUN, 'accepted');
    writeSync(1, `undo ${round}\n`);
    if (isAccepted) await reviews.undo({ root, subject: RUN });
    writeSync(1, `again ${round}\n`);
    await decideAll(reviews, root, RUN, 'accepted');
    writeSync(1, `record ${round}\n`);
    await writeFile(`${root}/new.tmp`, now);
    await rename(`${root}/new.tmp`, `${root}/a.tape.json`);
    writeSync(1, `reject ${round}\n`);
    const isRejected = await decideAll(reviews, root, TAPE, 'rejected');
    writeSync(1, `restore ${round}\n`);
    if (isRejected) await reviews.undo({ root, subject: TAPE });
  }
}

/** False if the process of the round before was killed after this very decision: it may not have been remembered for an undo. */
async function decideAll(reviews: Reviews, root: string, subject: ReviewSubject, verdict: Decision): Promise<boolean> {
  const review = await reviews.open({ root, subject });
  if (review === undefined) return false;
  const changes = review.changes.map(({ id }) => id);
  await reviews.decide({ root, subject, verdict, changes, stamp: review.stamp });
  return true;
}

void decideForEver(process.argv.slice(2));
