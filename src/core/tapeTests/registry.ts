import { goKind } from './go/goKind';
import { javascriptKind } from './javascript/javascriptKind';
import { pytestKind } from './python/pytestKind';
import type { TapeTest, TestFile, TestLanguage } from './tapeTest';
import type { TestKind, TestMode, TestProject, TestRun } from './testRun';

const kinds: Readonly<Record<TestLanguage, TestKind>> = {
  python: pytestKind,
  javascript: javascriptKind,
  go: goKind,
};

/** Whether a file is one of tests, by its name. */
export function isTestFile(path: string): boolean {
  return kindOf(path) !== undefined;
}

/** The tests of a file that use tapes. */
export function readTestFile(file: string, text: string): TestFile {
  return kindOf(file)?.read(file, text) ?? { tests: [], isUnclear: false };
}

/** The command that replays one test, or records its tape. */
export function testRun(test: TapeTest, mode: TestMode, project: TestProject): TestRun {
  return kinds[test.language].run(test, mode, project);
}

/** The language of a file that may define tests, by its ending. */
export function sourceKindOf(path: string): TestKind | undefined {
  return Object.values(kinds).find(({ sources }) => sources.test(path));
}

function kindOf(path: string): TestKind | undefined {
  return Object.values(kinds).find((kind) => kind.isTestFile(path));
}
