// Mocha's spec reporter, which also writes what passed, failed, was tried again and is pending to $TAPEDECK_TALLY.
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');

module.exports = class Tally extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failed = [];
    const retried = [];
    const told = (test, error) => `${test.fullTitle()}: ${String(error?.message ?? error).split('\n')[0]}`;
    runner.on('fail', (test, error) => failed.push(told(test, error)));
    runner.on('retry', (test, error) => retried.push(told(test, error)));
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      if (process.env.TAPEDECK_TALLY) {
        writeFileSync(process.env.TAPEDECK_TALLY, JSON.stringify({ passes, failures, pending, failed, retried }));
      }
    });
  }
};
