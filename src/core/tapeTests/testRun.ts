import type { TapeTest, TestFile, TestLanguage } from './tapeTest';

export type TestMode = 'replay' | 'record';
export type TestProgram = 'pytest' | 'vitest' | 'jest' | 'mocha' | 'node' | 'go';

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
  /** The tests of a file that use tapes. Never throws: a text in another language has none. */
  read(file: string, text: string): TestFile;
  /** Replays a test, or records its tape. */
  run(test: TapeTest, mode: TestMode, project: TestProject): TestRun;
}
