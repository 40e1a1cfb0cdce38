import assert from 'node:assert/strict';
import { captureBytes } from '../../../src/engine/process/captureBytes';

/** Prints 300,000 bytes that differ from place to place. */
const PRINT = 'process.stdout.write(Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251)))';
const PRINTED = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));

describe('what a program prints', () => {
  for (const maxBytes of [undefined, 0, 1, 100_000, 300_000, 400_000])
    it(`is held whole where ${maxBytes ?? 'nothing'} bytes were expected`, async () => {
      const command = [process.execPath, '-e', PRINT];
      const { code, stdout } = await captureBytes({ command, cwd: '.', environment: process.env, maxBytes });
      assert.equal(code, 0);
      assert.ok(stdout.equals(PRINTED));
    });
});
