// Mocha's spec reporter, which also writes to $TAPEDECK_TALLY what passed, failed, was tried again and is pending, and the seconds of each
// file, its hooks included.
const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');
const { reporters } = require('mocha');

/** Where a test called what failed: its own line, not that of a library. */
function placeIn(error) {
  const place = /\btest\/[\w./-]+\.test\.ts:\d+/.exec(String(error?.stack ?? ''));
  return place ? ` (${place[0]})` : '';
}

/** What failed, on one line: its first lines, as a window that disagrees with itself tells below the first what differs. */
function firstLines(error) {
  const lines = String(error?.message ?? error)
    .split('\n')
    .slice(0, 4);
  return lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' | ')
    .slice(0, 600);
}

module.exports = class Tally extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failed = [];
    const retried = [];
    const told = (test, error) => `${test.fullTitle()}: ${firstLines(error)}${placeIn(error)}`;
    runner.on('fail', (test, error) => failed.push(told(test, error)));
    runner.on('retry', (test, error) => retried.push(told(test, error)));
    const started = new Map();
    const seconds = new Map();
    runner.on('suite', (suite) => started.set(suite, performance.now()));
    runner.on('suite end', (suite) => {
      if (!suite.parent?.root || !suite.file) return;
      const took = (performance.now() - started.get(suite)) / 1000;
      seconds.set(suite.file, (seconds.get(suite.file) ?? 0) + took);
    });
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      if (process.env.TAPEDECK_TALLY) {
        const files = [...seconds]
          .map(([file, took]) => ({ file: relative(process.cwd(), file), took: Math.round(took) }))
          .sort((one, other) => other.took - one.took);
        writeFileSync(
          process.env.TAPEDECK_TALLY,
          JSON.stringify({ passes, failures, pending, failed, retried, files }),
        );
      }
    });
  }
};
