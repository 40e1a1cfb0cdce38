import type { TapeTest, TestRecorder } from '../tapeTest';
import type { TestMode, TestProgram, TestProject, TestRun } from '../testRun';

/** Between the patterns of titles: runners join titles with a space, Vitest from version 4 on with an arrow. */
export const TITLE_SEPARATOR = '(?: > | )';

/** Replays a test with the runner of its package, or records it. */
export function javascriptRun(test: TapeTest, mode: TestMode, project: TestProject): TestRun {
  const { uses, file } = test;
  const program = runnerOf(test, project.requirements);
  const path = project.folder === '' ? file : file.slice(project.folder.length + 1);
  return {
    program,
    args: argumentsOf(program, path, test.select ?? '', project.requirements),
    env: Object.assign({}, ...uses.map(({ recorder }) => switchOf(recorder, mode))),
    folder: project.folder,
    needsTapeAside: mode === 'record',
  };
}

/** The runner that the file imports, else the one that its package depends on. */
function runnerOf({ runner }: TapeTest, manifest: string): TestProgram {
  if (runner === 'vitest' || runner === 'mocha') return runner;
  if (runner === 'node:test') return 'node';
  if (runner === '@jest/globals') return 'jest';
  return (['vitest', 'jest', 'mocha'] as const).find((name) => manifest.includes(`"${name}"`)) ?? 'vitest';
}

function argumentsOf(program: TestProgram, path: string, pattern: string, manifest: string): string[] {
  switch (program) {
    case 'jest':
      return ['--runTestsByPath', path, '--coverage=false', '-t', `^${pattern}$`];
    case 'mocha':
      return [path, '--grep', `/^${pattern}$/`];
    case 'node':
      return [
        ...(/\.[cm]?ts$/.test(path) && manifest.includes('"tsx"') ? ['--import', 'tsx'] : []),
        '--test',
        `--test-name-pattern=${lastOrWhole(pattern)}`,
        path,
      ];
    default:
      return ['run', path, '--coverage.enabled=false', '-t', `^\\s*${pattern}$`];
  }
}

/** Older versions of Node compare the title of the test alone, newer ones with its suites. */
function lastOrWhole(pattern: string): string {
  const last = pattern.split(TITLE_SEPARATOR).at(-1);
  return last === pattern ? `^${pattern}$` : `^(?:${pattern}|${last})$`;
}

/** Polly itself reads no variable: by convention, projects set its `mode` from `POLLY_MODE`. */
function switchOf(recorder: TestRecorder, mode: TestMode): Readonly<Record<string, string>> {
  if (recorder === 'nock') return { NOCK_BACK_MODE: mode === 'record' ? 'record' : 'lockdown' };
  return recorder === 'polly' && mode === 'record' ? { POLLY_MODE: 'record' } : {};
}
