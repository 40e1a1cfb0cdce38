import type { PytestTapes } from '../model/tape';
import { type PythonTest, readPythonTests } from './pythonTests';
import { type TestTapeUse, testTapeUses, usesTape } from './testTapeUse';

/** A test with the tapes that it uses. */
export interface TapeTest {
  /** From the root, with `/`. */
  readonly file: string;
  readonly test: PythonTest;
  readonly uses: readonly TestTapeUse[];
}

/** Could a file be one of pytest's? By its name, as pytest finds them. */
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

/** Most test files have to do with no tape: they need not be read. */
const MENTIONS = /\b(?:ca_cassette|use_cassette|mark\.(?:cassette|replay|vcr))\b/;

/** All tests of a project that use tapes, made to be asked about many tapes. */
export class TapeTests {
  readonly #files: ReadonlyMap<string, readonly TapeTest[]>;
  /** Paths that are those of one tape. */
  readonly #exact = new Set<string>();
  /** Uses that have to be looked at one by one. */
  readonly #loose: TestTapeUse[] = [];

  /** By the paths of all test files, also of those without a tape. */
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

  /** Why no test can be using a tape, as a sentence; undefined where one does, and where that is uncertain. */
  orphanReason(tape: string, pytest: PytestTapes | undefined): string | undefined {
    if (this.#files.size === 0 || pytest === undefined || this.#isUsed(tape)) return undefined;
    return pytest.orphans === 'by-mark' ? this.#orphanByMark(pytest.recorder) : this.#orphanByFolder(tape);
  }

  #isUsed(tape: string): boolean {
    return this.#exact.has(tape) || this.#loose.some((use) => usesTape(use, tape));
  }

  /** In the folder that recorders give to a test file. */
  #orphanByFolder(tape: string): string | undefined {
    const [, folder = '', stem] = /^(?:(.*)\/)?cassettes\/(test_[^/]+|[^/]+_test)\/[^/]+$/.exec(tape) ?? [];
    if (stem === undefined) return undefined;
    const file = folder === '' ? `${stem}.py` : `${folder}/${stem}.py`;
    const tests = this.#files.get(file);
    if (tests === undefined) return `its test file ${file} is not there any more`;
    // A path that only the running test knows may be this one.
    const isDynamic = tests.some(({ uses }) => uses.some(({ paths }) => paths.length === 0));
    return isDynamic ? undefined : `no test in ${file} uses it`;
  }

  /** Only the mark of a test names such a tape, so it takes tests with readable marks to be certain. */
  #orphanByMark(own: PytestTapes['recorder']): string | undefined {
    const uses = [...this.#uses()].filter(({ recorder }) => recorder === own);
    const isKnown = uses.length > 0 && uses.every(({ paths }) => paths.length > 0);
    return isKnown ? 'no test has a mark `replay` with this fixture' : undefined;
  }

  *#uses(): Generator<TestTapeUse> {
    for (const tests of this.#files.values()) for (const { uses } of tests) yield* uses;
  }
}
