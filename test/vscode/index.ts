import { join } from 'node:path';
import Mocha from 'mocha';

/** Runs inside the extension host: every suite below, with the reporter that `test/run.mjs` reads the tally of. */
export function run(): Promise<void> {
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 180_000,
    retries: 1,
    reporter: join(__dirname, '../../../test/tally.cjs'),
  });
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  require('./suites');
  return new Promise((resolve, reject) => {
    mocha.run((failures) => (failures === 0 ? resolve() : reject(new Error(`${failures} tests failed`))));
  });
}
