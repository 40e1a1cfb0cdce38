import { t } from '../text/l10n';
import { sourceKindOf } from './registry';
import type { TapeTest } from './tapeTest';
import { findNamed, type NamedTest, placesOf, readTestId, type TestId } from './testIds';
import { folderOf } from './testPaths';
import type { TestKind } from './testRun';

/** A tape that names the test that recorded it. Its path is from the root, with `/`. */
export interface NamingTape {
  readonly path: string;
  /** The id of the test. */
  readonly test: string;
}

/** The sources of a project. Paths are from its root, with `/`. */
export interface ProjectSources {
  /** The text of a file; undefined if there is none. */
  text(path: string): Promise<string | undefined>;
  /** The files in a folder. */
  filesIn(folder: string): Promise<readonly string[]>;
}

/** Finds the tests that tapes name. Only the files that they name are read, each once. */
export class NamedTests {
  readonly #files = new Map<string, Promise<SourceFile | undefined>>();

  constructor(private readonly sources: ProjectSources) {}

  /** The test of a tape, under the name that it has in its runner. */
  async testOf({ path, test }: NamingTape): Promise<TapeTest | undefined> {
    const { id, kind } = parsed(test);
    if (id === undefined || kind === undefined) return undefined;
    for (const { file, tests, runner } of await this.#filesOf(id, kind, path)) {
      const found = findNamed(tests, id.name);
      if (found === undefined) continue;
      const { nameSpan, start } = found;
      const uses = [{ recorder: 'tapedeck' as const, paths: [path], isFamily: false, span: nameSpan }];
      const { name } = id;
      return { file, language: kind.language, name, select: kind.selectOf(name), nameSpan, start, uses, runner };
    }
    return undefined;
  }

  /** The tests in a file that these tapes name, each once, with all its tapes. */
  async testsIn(file: string, tapes: readonly NamingTape[]): Promise<readonly TapeTest[]> {
    const meant = tapes.filter(({ test }) => isAt(file, readTestId(test)));
    const tests = (await Promise.all(meant.map((tape) => this.testOf(tape)))).filter((test) => test?.file === file);
    const source = await this.#file(file);
    const places = new Map<number, TapeTest[]>();
    for (const test of tests) if (test !== undefined) places.set(test.start, [...(places.get(test.start) ?? []), test]);
    return [...places.values()].flatMap((same) => {
      const [first, ...others] = same;
      if (first === undefined || others.length === 0) return same;
      const [pieces = []] = source?.tests.find(({ start }) => start === first.start)?.names ?? [];
      const select = pieces.length === 1 ? sourceKindOf(file)?.selectOf(pieces[0] ?? '') : anyOf(same);
      return [{ ...first, name: pieces.join('…'), select, uses: same.flatMap(({ uses }) => uses) }];
    });
  }

  /** Why no test can use a tape, as a sentence; undefined if one does, or if that is uncertain. */
  async orphanReason({ path, test }: NamingTape): Promise<string | undefined> {
    const { id, kind } = parsed(test);
    if (id === undefined || kind === undefined) return undefined;
    const files = await this.#filesOf(id, kind, path);
    const [first] = files;
    if (first === undefined) return t('its test file {0} no longer exists', id.file);
    if (files.some(({ tests, isWhole }) => !isWhole || findNamed(tests, id.name) !== undefined)) return undefined;
    return t('{0} has no test {1}', first.file, id.name);
  }

  /** The file that a test was in, or that and those beside it, where a test may move to them. */
  async #filesOf(id: TestId, { isOfFolder, isTestFile }: TestKind, tape: string): Promise<readonly SourceFile[]> {
    for (const place of placesOf(id, tape)) {
      const beside = isOfFolder === true ? await this.sources.filesIn(folderOf(place)) : [];
      const paths = new Set([place, ...beside.filter(isTestFile)]);
      const files = (await Promise.all([...paths].map((path) => this.#file(path)))).filter(
        (file) => file !== undefined,
      );
      if (files.length > 0) return files;
    }
    return [];
  }

  #file(path: string): Promise<SourceFile | undefined> {
    const known = this.#files.get(path) ?? this.#read(path);
    this.#files.set(path, known);
    return known;
  }

  async #read(file: string): Promise<SourceFile | undefined> {
    const kind = sourceKindOf(file);
    const text = await this.sources.text(file);
    if (kind === undefined || text === undefined) return undefined;
    const isWhole = kind.mayImport?.test(text) !== true;
    return { file, tests: kind.named(text), runner: kind.runnerIn?.(text), isWhole };
  }
}

interface SourceFile {
  readonly file: string;
  readonly tests: readonly NamedTest[];
  readonly runner: string | undefined;
  /** All its tests are defined in it. */
  readonly isWhole: boolean;
}

/** Where the file may be another's, which is nearer to the tape. */
function isAt(file: string, id: TestId | undefined): boolean {
  const name = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  return id !== undefined && (name(id.file) === name(file) || sourceKindOf(id.file)?.isOfFolder === true);
}

/** More would be longer than a command line may be. */
const MOST_TITLES = 100;

/** The titles of JavaScript's tests that one place defines. */
function anyOf(tests: readonly TapeTest[]): string | undefined {
  return tests.length > MOST_TITLES ? undefined : `(?:${tests.map(({ select }) => select).join('|')})`;
}

function parsed(test: string): { readonly id?: TestId | undefined; readonly kind?: TestKind | undefined } {
  const id = readTestId(test);
  return { id, kind: id && sourceKindOf(id.file) };
}
