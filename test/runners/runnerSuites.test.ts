import { buildEngine } from '../harness/builtEngine';
import { runSeed } from '../soak/random';
import { checkSuite, suitePython } from '../soak/runnerSuites';

const SUITES = 4;
const SEED = 37;

/** `test/soak/runnerSuites.ts` draws as many as one likes. */
describe('random suites of pytest', () => {
  before(buildEngine);

  for (let at = 0; at < SUITES; at += 1)
    it(`have the verdicts and the tapes of the model: ${at} of seed ${SEED}`, async function () {
      this.timeout(600_000);
      await checkSuite(await suitePython(), runSeed(SEED, 'suites', at));
    });
});
