// Mocha's spec reporter, which also writes how many passed, failed and were pending to the file $TAPEDECK_TALLY.
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');

module.exports = class Tally extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      if (process.env.TAPEDECK_TALLY) {
        writeFileSync(process.env.TAPEDECK_TALLY, JSON.stringify({ passes, failures, pending }));
      }
    });
  }
};
