import { writeSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { compareTapes } from '../../../src/core/review/compare/compareTapes';
import { readTape } from '../../../src/core/tapes/readTape';
import { decodeTapeFile } from '../../../src/core/tapes/tapeFile';
import { rejectInFile } from '../../../src/engine/review/decideFile';
import { acceptRun, openRunReview } from '../../../src/engine/review/runReview';

/** node decisionKillChild.js ROOT   accepts a run and puts a tape back, over and over, until it is killed. */
async function decideForEver([root = '']: readonly string[]): Promise<void> {
  const casePath = `${root}/a.toml`;
  const [old, now] = [await readFile(`${root}/old.json`), await readFile(`${root}/new.json`)];
  const before = readTape(decodeTapeFile('a.tape.json', old));
  const after = readTape(decodeTapeFile('a.tape.json', now));
  if (before === undefined || after === undefined) throw new Error('the tapes cannot be read');
  const tapeIds = compareTapes(before, after).changes.map(({ id }) => id);
  for (let round = 0; ; round += 1) {
    const baseline = round % 2 === 0 ? 'first' : 'second';
    const artifact = await readFile(`${root}/${baseline}.artifact.json`);
    await writeFile(`${root}/.tapedeck/runs/a.artifact.json`, artifact);
    const review = await openRunReview(root, casePath);
    const ids = review?.comparison.changes.map(({ id }) => id) ?? [];
    writeSync(1, `round ${round}\n`);
    await acceptRun({ root, casePath, ids, stamp: review?.stamp ?? '' });
    await writeFile(`${root}/a.tape.json`, now);
    writeSync(1, `reject ${round}\n`);
    await rejectInFile({ root, path: 'a.tape.json', sides: { before: old, after: now }, ids: tapeIds });
  }
}

void decideForEver(process.argv.slice(2));
