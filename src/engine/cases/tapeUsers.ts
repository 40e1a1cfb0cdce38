import { dirname, join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { caseKindOf } from '../../core/cases/registry';
import { describeSharedTape, findSharedTapes, type TapeUser } from '../../core/cases/sharedTapes';
import { parseJson } from '../../core/json/readJson';
import type { FormatId, Tape } from '../../core/model/tape';
import { mayHoldCases } from '../../core/project/filePatterns';
import { RUNS_FOLDER } from '../../core/project/layout';
import { formatById } from '../../core/tapes/registry';
import { tapeFileFromText } from '../../core/tapes/tapeFile';
import { NamedTests, type ProjectSources } from '../../core/tapeTests/namedTests';
import { isTestFile, readTestFile } from '../../core/tapeTests/registry';
import { TapeTests } from '../../core/tapeTests/tapeTests';
import { message } from '../../core/text/l10n';
import type { Finding } from '../../core/verify/finding';
import { evidenceIn, findUnusedRecordings, orphanedTape, type TapeEvidence } from '../../core/verify/staleRecordings';
import { fileStatus, listFolder } from '../files/fileStatus';
import { fromRoot, isInside, withSlashes } from '../files/projectPaths';
import { RandomAccessFile, readTextIfPossible } from '../files/readFile';
import { walkFiles } from '../files/walkFiles';
import { tapeUsersIn } from '../project/caseTapes';
import { createRootFinder } from '../project/findRoot';
import { OwnState } from '../project/ownState';

/** The tapes that a project's cases name. */
interface CaseTapes {
  readonly users: readonly TapeUser[];
  readonly named: ReadonlySet<string>;
  readonly shared: ReadonlyMap<string, readonly TapeUser[]>;
}

async function caseTapesIn(root: string): Promise<CaseTapes> {
  const users = await tapeUsersIn(root);
  return { users, named: new Set(users.flatMap(({ tapes }) => tapes)), shared: findSharedTapes(users) };
}

/** Finds out who uses a project's tapes: tests, from their source, and cases, from their last runs. */
export class TapeUsers {
  readonly #rootOf: (folder: string) => string;
  readonly #tests = new Map<string, TapeTests>();
  readonly #named = new Map<string, NamedTests>();
  readonly #evidence = new Map<string, Promise<readonly TapeEvidence[]>>();
  readonly #cases = new Map<string, Promise<CaseTapes>>();

  constructor(cwd: string) {
    this.#rootOf = createRootFinder(cwd);
  }

  /** Findings for a tape, or recordings of it, without a known user. `path` is absolute. */
  async unused(path: string, format: FormatId, tape: () => Tape | Promise<Tape>): Promise<readonly Finding[]> {
    const root = this.#rootOf(dirname(path));
    const name = fromRoot(root, path);
    const { tested } = formatById(format);
    const test = await testNamedBy(path, format);
    const reason =
      test === undefined
        ? tested?.orphans && this.#testsIn(root).orphanReason(name, tested)
        : await this.#namedTestsIn(root).orphanReason({ path: name, test });
    if (reason !== undefined) return [orphanedTape(reason)];
    const known = (await this.#evidenceIn(root)).filter((one) => one.tape === name);
    if (known.length === 0) return [];
    const changed = (await fileStatus(path))?.modifiedMs ?? Number.POSITIVE_INFINITY;
    const recent = known.filter(({ startedAt }) => startedAt >= changed);
    return recent.length === 0 ? [] : findUnusedRecordings(await tape(), recent);
  }

  /** A finding for a tape that several cases use and one of them records. `path` is absolute. */
  async shared(path: string): Promise<readonly Finding[]> {
    const root = this.#rootOf(dirname(path));
    const users = (await this.#casesIn(root)).shared.get(path);
    if (users === undefined) return [];
    return [{ rule: 'shared', ...describeSharedTape(path, users), span: { start: 0, end: 0 } }];
  }

  /** The tapes that the cases in a folder, or below it, name, wherever they lie and whatever they are called. Paths are absolute. */
  async namedBelow(folder: string): Promise<readonly string[]> {
    const { users } = await this.#casesIn(this.#rootOf(folder));
    return users.filter(({ file }) => isInside(folder, file)).flatMap(({ tapes }) => tapes);
  }

  /** Whether a case names the file as its tape. `path` is absolute. */
  async isNamed(path: string): Promise<boolean> {
    return (await this.#casesIn(this.#rootOf(dirname(path)))).named.has(path);
  }

  /** Whether no case names the tape, and no test uses it, as far as that is known. `path` is absolute. */
  async isOrphan(path: string, format: FormatId): Promise<boolean> {
    if ((await this.isNamed(path)) || isCase(path)) return false;
    const root = this.#rootOf(dirname(path));
    const test = await testNamedBy(path, format);
    if (test !== undefined)
      return (await this.#namedTestsIn(root).orphanReason({ path: fromRoot(root, path), test })) !== undefined;
    const { tested } = formatById(format);
    if (tested === undefined) return true;
    return tested.orphans !== undefined && this.#testsIn(root).orphanReason(fromRoot(root, path), tested) !== undefined;
  }

  #namedTestsIn(root: string): NamedTests {
    const known = this.#named.get(root) ?? new NamedTests(sourcesIn(root));
    this.#named.set(root, known);
    return known;
  }

  #casesIn(root: string): Promise<CaseTapes> {
    const known = this.#cases.get(root) ?? caseTapesIn(root);
    this.#cases.set(root, known);
    return known;
  }

  #testsIn(root: string): TapeTests {
    const known = this.#tests.get(root);
    if (known !== undefined) return known;
    const { paths } = walkFiles([root], {
      isWanted: (path) => isTestFile(withSlashes(path)),
      rootOf: () => root,
      fix: NAME_A_PROJECT,
    });
    const names = paths.map((path) => ({ path, name: fromRoot(root, path) }));
    const tests = new TapeTests(
      new Map(
        names.map(({ path, name }) => [name, readTestFile(name, readTextIfPossible(path, FILE_LIMITS.artifact) ?? '')]),
      ),
    );
    this.#tests.set(root, tests);
    return tests;
  }

  #evidenceIn(root: string): Promise<readonly TapeEvidence[]> {
    const known = this.#evidence.get(root) ?? lastRunsIn(root);
    this.#evidence.set(root, known);
    return known;
  }
}

function sourcesIn(root: string): ProjectSources {
  return {
    text: async (path) => readTextIfPossible(join(root, path), FILE_LIMITS.case),
    filesIn: async (folder) => {
      const names = await listFolder(join(root, folder));
      return names.map((name) => (folder === '' ? name : `${folder}/${name}`));
    },
  };
}

const HEADER_BYTES = 16_384;

/** The id of the test that a tape names in its first line, without reading more of it. */
async function testNamedBy(path: string, format: FormatId): Promise<string | undefined> {
  const size = format === 'tapedeck' ? (await fileStatus(path))?.size : undefined;
  if (size === undefined) return undefined;
  const file = new RandomAccessFile(path);
  try {
    const head = file.read(0, Math.min(size, HEADER_BYTES))?.toString('utf8') ?? '';
    return formatById(format).read(tapeFileFromText(head.slice(0, head.indexOf('\n') + 1))).test;
  } finally {
    file.close();
  }
}

const NAME_A_PROJECT = message('Name a folder that exists.');

async function lastRunsIn(root: string): Promise<readonly TapeEvidence[]> {
  const own = new OwnState(root);
  const artifacts = (await own.files(RUNS_FOLDER)).filter((name) => name.endsWith('.artifact.json')).sort();
  const texts = await Promise.all(
    artifacts.map((name) => own.readText(`${RUNS_FOLDER}/${name}`, FILE_LIMITS.artifact)),
  );
  return texts.flatMap((text) => evidenceIn(parseJson(text ?? '')));
}

/** Whether a tape is a case by itself, such as a golden. */
function isCase(path: string): boolean {
  const name = withSlashes(path);
  return mayHoldCases(name) && caseKindOf(readTextIfPossible(path, FILE_LIMITS.artifact) ?? '', name) !== undefined;
}
