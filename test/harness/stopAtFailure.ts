/**
 * Leaves out the tests of the `describe` that calls it from the first that failed: each goes on from the one before. Mocha's
 * own `bail` would leave them out also where a test of another file failed.
 */
export function stopAtFailure(): void {
  let hasFailed = false;
  beforeEach(function () {
    if (hasFailed) this.skip();
  });
  afterEach(function () {
    hasFailed ||= this.currentTest?.state === 'failed';
  });
}
