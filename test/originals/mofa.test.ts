import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { projectFolder } from '../corpus';
import { mofaCases } from './mofa/cases';
import { DELIBERATE } from './mofa/differences';
import type { MofaCase } from './mofa/mofaCase';
import { differencesOf, outcomeOf } from './mofa/outcome';
import { buildMofa, type Program, runCase, TAPEDECK } from './mofa/programs';

const SEED = Number(process.env.ORIGINALS_SEED ?? 15);
const RANDOM_CASES = 61;

describe("MoFA's test-dsl and ours", () => {
  let mofa: Program;
  const cases = mofaCases(SEED, RANDOM_CASES);
  const tally = new Map<string, number>();

  before(() => {
    mofa = buildMofa();
    const built = spawnSync(process.execPath, ['esbuild.mjs', 'node'], { cwd: projectFolder, encoding: 'utf8' });
    assert.equal(built.status, 0, built.stderr);
  });

  for (const [index, one] of cases.entries())
    it(`${index + 1} ${one.group}: ${one.title}`, async () => {
      const reasons = await compare(mofa, one);
      for (const reason of reasons.length > 0 ? reasons : ['the same']) tally.set(reason, (tally.get(reason) ?? 0) + 1);
    });

  after(() => {
    console.log(`\n${cases.length} cases of seed ${SEED}, ${tally.get('the same') ?? 0} the same`);
    for (const { reason } of DELIBERATE) console.log(`  ${tally.get(reason) ?? 0} deliberate: ${reason}`);
  });
});

/** Runs both programs, and gives the reasons for which they differ. Throws for a difference without one. */
async function compare(mofa: Program, one: MofaCase): Promise<readonly string[]> {
  const [original, ours] = await Promise.all([runCase(mofa, one), runCase(TAPEDECK, one)]);
  const reasons = new Set<string>();
  const unexplained = differencesOf(outcomeOf(original), outcomeOf(ours)).filter((difference) => {
    const found = DELIBERATE.find(({ covers }) => covers(difference, one));
    if (found !== undefined) reasons.add(found.reason);
    return found === undefined;
  });
  const told = unexplained.map(
    ({ aspect, original: theirs, ours: mine }) => `${aspect}\n--- MoFA\n${theirs}\n--- Tapedeck\n${mine}`,
  );
  assert.equal(told.join('\n\n'), '', `${JSON.stringify(one, null, 1)}\n${original.stderr}\n----\n${ours.stderr}`);
  return [...reasons];
}
