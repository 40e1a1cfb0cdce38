import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pytestRun } from '../../src/core/python/pytestRun';
import { readTapeTests } from '../../src/core/python/tapeTests';
import { nodeId } from '../../src/core/python/testNames';
import type { TestProject } from './builtEngine';

const run = promisify(execFile);

/** A file of tests, and the Python that runs them. */
export interface PytestFile {
  readonly python: string;
  readonly file: string;
  readonly source: string;
}

/** Runs the very command that the lens of a test runs, and gives its exit code. */
export async function lensPytest(
  { root }: TestProject,
  { python, file, source }: PytestFile,
  name: string,
  mode: 'replay' | 'record',
): Promise<number> {
  const found = readTapeTests(file, source).find(({ test }) => test.name === name);
  assert.ok(found, name);
  const recorder = found.uses[0]?.recorder ?? 'vcr';
  const { args, env } = pytestRun(recorder, nodeId(file, found.test), mode, 'pytest-recording');
  const options = { cwd: root, env: { ...process.env, ...env } };
  return run(python, ['-m', 'pytest', '-p', 'no:cacheprovider', ...args], options).then(
    () => 0,
    (error: { code: number }) => error.code,
  );
}
