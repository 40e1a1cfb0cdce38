import type { TapeTest, TestFile, TestLanguage } from './tapeTest';
import type { NamedTest } from './testIds';

export type TestMode = 'replay' | 'record';
export type TestProgram = 'pytest' | 'vitest' | 'jest' | 'mocha' | 'playwright' | 'node' | 'go';

/** How to run one test. */
export interface TestRun {
  readonly program: TestProgram;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The folder to run it in, from the root. */
  readonly folder: string;
  /** The recorder records where there is no tape, so the tape is moved to the takes first. */
  readonly needsTapeAside: boolean;
}

/** What a run depends on besides the test. */
export interface TestProject {
  /** From the root: the folder of the nearest `package.json`, where the language has one. */
  readonly folder: string;
  /** The files that list the project's dependencies. */
  readonly requirements: string;
}

/** The tests of one language: how they are found, and how one of them runs. */
export interface TestKind {
  readonly language: TestLanguage;
  /** Whether the runner would look for tests in a file, by its name. */
  isTestFile(path: string): boolean;
  /** The endings of its sources: a runner may be told to look for tests in any of them. */
  readonly sources: RegExp;
  /** Matches the text of a file with tests that are defined elsewhere. */
  readonly mayImport?: RegExp;
  /** A test may be moved to another file of its folder, and is still the same. */
  readonly isOfFolder?: boolean;
  /** All tests of a file by their names. Never throws. */
  named(text: string): readonly NamedTest[];
  /** What selects the test with this name in its runner. */
  selectOf(name: string): string;
  /** The runner that a text imports its test functions from, where it matters. */
  runnerIn?(text: string): string | undefined;
  /** The tests of a file that use tapes. Never throws: a text in another language has none. */
  read(file: string, text: string): TestFile;
  /** Replays a test, or records its tape. */
  run(test: TapeTest, mode: TestMode, project: TestProject): TestRun;
}
