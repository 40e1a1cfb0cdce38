import assert from 'node:assert/strict';
import { buildEngine } from '../harness/builtEngine';
import { testUnderWine, windows } from './windowsTests.mjs';

/**
 * What each run of CI tests on Windows, as far as Wine is: what touches paths, files, and processes, and a story of the command line.
 * `node test/windows/run.mjs` runs all that can run there, in half an hour.
 */
const TESTS: Readonly<Record<string, readonly string[]>> = {
  'paths, files, and processes': ['test/engine/files/*.test.ts', 'test/engine/process/*.test.ts'],
  'places and names': ['test/core/project/*.test.ts', 'test/core/cases/*.test.ts', 'test/core/hash/*.test.ts'],
  'what two processes say to each other': ['test/contracts/**/*.test.ts'],
  'recorded tapes as cases': ['test/engine/cases/kinds/recordedTape.test.ts'],
  'the command line': ['test/windows/commandLine.test.ts'],
};
const MOST_SECONDS = 400;

type Windows = Awaited<ReturnType<typeof windows>>;

describe('on Windows', () => {
  let wine: Windows | undefined;

  before(async function () {
    buildEngine.call(this);
    this.timeout(600_000);
    try {
      wine = await windows();
    } catch (error) {
      console.error(`NOT TESTED on Windows: ${error instanceof Error ? error.message : error}`);
    }
  });

  after(() => wine?.close());

  for (const [name, patterns] of Object.entries(TESTS))
    it(`passes what tests ${name}`, async function () {
      this.timeout((MOST_SECONDS + 10) * 1000);
      if (wine === undefined) return this.skip();
      const { passes, failed, printed } = await testUnderWine(wine, patterns, MOST_SECONDS);
      assert.deepEqual(failed, []);
      assert.ok(passes > 0, printed);
    });
});
