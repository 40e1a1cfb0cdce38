import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readTestFile, testRun } from '../../src/core/tapeTests/registry';
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
  const found = readTestFile(file, source).tests.find((test) => test.name.split('::').at(-1) === name);
  assert.ok(found, name);
  const { args, env } = testRun(found, mode, { folder: '', requirements: 'pytest-recording' });
  const options = { cwd: root, env: { ...process.env, ...env } };
  return run(python, ['-m', 'pytest', '-p', 'no:cacheprovider', ...args], options).then(
    () => 0,
    (error: { code: number }) => error.code,
  );
}
