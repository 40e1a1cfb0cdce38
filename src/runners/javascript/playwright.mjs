// `import { test, expect } from '@tapedeck/cli/playwright'`, in the place of `@playwright/test`.
import { dirname } from 'node:path';
import { test as original } from '@playwright/test';
import { leadClients } from './clients.mjs';
import { startServer } from './engine.mjs';
import { Lanes, withoutRepeats } from './lane.mjs';
import { modeOf } from './mode.mjs';

export * from '@playwright/test';

// Before the file of tests makes its clients.
if (modeOf(process.env, false) !== 'off') leadClients();

const isUpdate = ({ updateSnapshots }) => updateSnapshots === 'all' || updateSnapshots === 'changed';
const rerecord = (id) => `playwright test -u -g ${JSON.stringify(id)}`;

/**
 * The tests of Playwright, each with a tape of its own. The fixture `tapedeck` has the environment `variables` with which a
 * test starts the program that it tests; they are the test's own while it runs.
 */
export const test = original.extend({
  // Playwright reads what a fixture needs from its first parameter.
  tapedeckLanes: [
    // biome-ignore lint/correctness/noEmptyPattern: as Playwright wants it
    async ({}, use, { config }) => {
      const mode = modeOf(process.env, isUpdate(config));
      if (mode === 'off') return use(undefined);
      const root = config.configFile === undefined ? config.rootDir : dirname(config.configFile);
      const { variables, stop } = await startServer(root, mode === 'none');
      await use(new Lanes({ variables, mode, root, rerecord }));
      await stop();
    },
    { scope: 'worker', auto: true },
  ],
  tapedeck: [
    async ({ tapedeckLanes }, use, info) => {
      if (tapedeckLanes === undefined) return use(undefined);
      const [, ...names] = info.titlePath;
      const test = { file: info.file, name: names.join(' > '), id: names.join(' ') };
      const { tape, variables, end } = await tapedeckLanes.enter(test);
      await use({ tape, variables });
      try {
        await end(outcomeOf(info));
      } catch (error) {
        info.errors.splice(0, info.errors.length, ...withoutRepeats(info.errors));
        throw error;
      }
    },
    { auto: true },
  ],
});

function outcomeOf({ status, expectedStatus }) {
  if (status === 'skipped') return 'skipped';
  return status === expectedStatus ? 'passed' : 'failed';
}
