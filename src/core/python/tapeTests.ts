import type { PytestTapes } from '../model/tape';
import { type PythonTest, readPythonTests } from './pythonTests';
import { type TestTapeUse, testTapeUses, usesTape } from './testTapeUse';

/** A test with its tapes. */
export interface TapeTest {
  /** The path relative to the root, with `/`. */
  readonly file: string;
  readonly test: PythonTest;
  readonly uses: readonly TestTapeUse[];
}

/** Whether pytest would collect tests from a file, by its name. */
export function isTestFile(path: string): boolean {
  return /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/.test(path);
}

/** The tests of a file that use tapes. */
export function readTapeTests(file: string, text: string): TapeTest[] {
  if (!MENTIONS.test(text)) return [];
  return readPythonTests(text).flatMap((test) => {
    const uses = testTapeUses(test, file);
    return uses.length === 0 ? [] : [{ file, test, uses }];
  });
}

/** Matches files that may use tapes; most test files do not, and need not be read. */
const MENTIONS = /\b(?:ca_cassette|use_cassette|mark\.(?:cassette|replay|vcr))\b/;

/** An index of all tests of a project that use tapes. */
export class TapeTests {
  readonly #files: ReadonlyMap<string, readonly TapeTest[]>;
  /** Uses with fixed paths, by path. */
  readonly #exact = new Set<string>();
  /** Uses that have to be checked one by one. */
  readonly #loose: TestTapeUse[] = [];

  /** All test files by path, including those without a tape. */
  constructor(files: ReadonlyMap<string, readonly TapeTest[]>) {
    this.#files = files;
    for (const use of this.#uses()) {
      for (const path of use.paths) this.#exact.add(path);
      if (use.isFamily || use.recorder === 'use_cassette') this.#loose.push(use);
    }
  }

  /** The tests that use a tape. */
  usersOf(tape: string): readonly TapeTest[] {
    if (!this.#isUsed(tape)) return [];
    return [...this.#files.values()].flat().filter(({ uses }) => uses.some((use) => usesTape(use, tape)));
  }

  /** The reason why no test can use a tape, as a sentence; undefined where one does, or where that is uncertain. */
  orphanReason(tape: string, pytest: PytestTapes | undefined): string | undefined {
    if (this.#files.size === 0 || pytest === undefined || this.#isUsed(tape)) return undefined;
    return pytest.orphans === 'by-mark' ? this.#orphanByMark(pytest.recorder) : this.#orphanByFolder(tape);
  }

  #isUsed(tape: string): boolean {
    return this.#exact.has(tape) || this.#loose.some((use) => usesTape(use, tape));
  }

  /** For a tape in the folder that recorders use for a test file. */
  #orphanByFolder(tape: string): string | undefined {
    const [, folder = '', stem] = /^(?:(.*)\/)?cassettes\/(test_[^/]+|[^/]+_test)\/[^/]+$/.exec(tape) ?? [];
    if (stem === undefined) return undefined;
    const file = folder === '' ? `${stem}.py` : `${folder}/${stem}.py`;
    const tests = this.#files.get(file);
    if (tests === undefined) return `its test file ${file} no longer exists`;
    // A path that is computed while the test runs may be this one.
    const isDynamic = tests.some(({ uses }) => uses.some(({ paths }) => paths.length === 0));
    return isDynamic ? undefined : `no test in ${file} uses it`;
  }

  /** For a tape that only the mark of a test can name: certain only if all marks could be read. */
  #orphanByMark(own: PytestTapes['recorder']): string | undefined {
    const uses = [...this.#uses()].filter(({ recorder }) => recorder === own);
    const isKnown = uses.length > 0 && uses.every(({ paths }) => paths.length > 0);
    return isKnown ? 'no test has a `replay` marker with this fixture' : undefined;
  }

  *#uses(): Generator<TestTapeUse> {
    for (const tests of this.#files.values()) for (const { uses } of tests) yield* uses;
  }
}
