import type { TestedTapes } from '../model/tape';
import { t } from '../text/l10n';
import { type TapeTest, type TestFile, type TestTapeUse, usesTape } from './tapeTest';
import { folderOf } from './testPaths';

/** Tests that are found by their sources, and those that are found by what tapes say: each once. */
export function joinedTests(bySource: readonly TapeTest[], byTape: readonly TapeTest[]): readonly TapeTest[] {
  const places = new Map(byTape.map((test) => [test.start, test]));
  const joined = bySource.map((test) => {
    const named = places.get(test.start);
    return named === undefined ? test : { ...test, uses: [...named.uses, ...test.uses] };
  });
  const known = new Set(bySource.map(({ start }) => start));
  return [...joined, ...byTape.filter(({ start }) => !known.has(start))].sort((one, other) => one.start - other.start);
}

/** An index of all tests of a project that use tapes. */
export class TapeTests {
  readonly #files: ReadonlyMap<string, TestFile>;
  /** Uses with fixed paths, by path. */
  readonly #exact = new Set<string>();
  /** Uses that have to be checked one by one. */
  readonly #loose: TestTapeUse[] = [];

  /** All test files by path, including those without a tape. */
  constructor(files: ReadonlyMap<string, TestFile>) {
    this.#files = files;
    for (const use of this.#uses()) {
      for (const path of use.paths) this.#exact.add(path);
      if (use.isFamily || use.isAnywhere || use.recorder === 'use_cassette') this.#loose.push(use);
    }
  }

  /** The tests that use a tape. */
  usersOf(tape: string): readonly TapeTest[] {
    if (!this.#isUsed(tape)) return [];
    return this.#all().filter(({ uses }) => uses.some((use) => usesTape(use, tape)));
  }

  /** The reason why no test can use a tape, as a sentence; undefined if one does, or if that is uncertain. */
  orphanReason(tape: string, tested: TestedTapes | undefined): string | undefined {
    if (this.#files.size === 0 || tested === undefined || this.#isUsed(tape)) return undefined;
    switch (tested.orphans) {
      case 'by-mark':
        return this.#orphanByMark(tested.recorder);
      case 'by-folder':
        return this.#orphanByFolder(tape);
      case 'by-name':
        return this.#orphanByName(tape, tested.recorder);
      case undefined:
        return undefined;
    }
  }

  #isUsed(tape: string): boolean {
    return this.#exact.has(tape) || this.#loose.some((use) => usesTape(use, tape));
  }

  /** For a tape in the folder that recorders use for a test file. */
  #orphanByFolder(tape: string): string | undefined {
    const [, folder = '', stem] = /^(?:(.*)\/)?cassettes\/(test_[^/]+|[^/]+_test)\/[^/]+$/.exec(tape) ?? [];
    if (stem === undefined) return undefined;
    const file = folder === '' ? `${stem}.py` : `${folder}/${stem}.py`;
    const tests = this.#files.get(file)?.tests;
    if (tests === undefined) return t('its test file {0} no longer exists', file);
    // A path that is computed at run time may be this one.
    const isDynamic = tests.some(({ uses }) => uses.some(({ paths }) => paths.length === 0));
    return isDynamic ? undefined : t('no test in {0} uses it', file);
  }

  /** For a tape that only the mark of a test can name: certain only if all marks could be read. */
  #orphanByMark(own: TestedTapes['recorder']): string | undefined {
    const uses = [...this.#uses()].filter(({ recorder }) => recorder === own);
    const isKnown = uses.length > 0 && uses.every(({ paths }) => paths.length > 0);
    return isKnown ? t('no test has a `replay` marker with this fixture') : undefined;
  }

  /**
   * For a tape that code names, below a folder of tests: certain only if every test file there is clear, one of them
   * uses this recorder, and all that they name is known.
   */
  #orphanByName(tape: string, own: TestedTapes['recorder']): string | undefined {
    const folder = this.#nearestFolder(folderOf(tape));
    if (folder === undefined) return undefined;
    const files = [...this.#files].filter(([file]) => folderOf(file) === folder).map(([, file]) => file);
    const uses = files.flatMap(({ tests }) => tests.flatMap((test) => test.uses));
    const isKnown = files.every(({ isUnclear }) => !isUnclear) && uses.every(({ paths }) => paths.length > 0);
    const isOwn = uses.some(({ recorder }) => recorder === own);
    return isKnown && isOwn ? t('no test in {0} names it', folder === '' ? t('this folder') : folder) : undefined;
  }

  /** The innermost folder around a tape that has test files itself. */
  #nearestFolder(folder: string): string | undefined {
    const folders = new Set([...this.#files.keys()].map(folderOf));
    for (let at = folder; ; at = folderOf(at)) {
      if (folders.has(at)) return at;
      if (at === '') return undefined;
    }
  }

  #all(): TapeTest[] {
    return [...this.#files.values()].flatMap(({ tests }) => tests);
  }

  *#uses(): Generator<TestTapeUse> {
    for (const { tests } of this.#files.values()) for (const { uses } of tests) yield* uses;
  }
}
