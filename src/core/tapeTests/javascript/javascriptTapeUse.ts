import type { Code, CodeCall, TokenRange } from '../code/codeCalls';
import type { TestRecorder, TestTapeUse } from '../tapeTest';
import { ancestorsOf, folderOf, joined } from '../testPaths';
import { pollyRecordingPath } from './pollyRecording';

/** A call that names a tape. */
export interface TapeCall {
  readonly call: CodeCall;
  /** The tape of a test with these titles of suites and test; a title is undefined if it is computed at run time. */
  useFor(titles: readonly string[] | undefined): TestTapeUse;
}

/** Matches files that may use tapes; most test files do not, and need not be read. */
export const MENTIONS =
  /\bPolly\b|\bsetupPolly\b|\bsetupMocha\b|\bnock|aimock|LLMock|FixtureResponse\b|\.chunks\.txt|__fixtures__/;

/** Finds the calls that name a tape. Paths that are not literal are unknown: nothing is evaluated. */
export function tapeCalls(code: Code, source: string, testFile: string): TapeCall[] {
  const paths = new PathExpressions(code, source);
  const folder = folderOf(testFile);
  const place = { code, source, paths, folder };
  return code.calls.flatMap((call) => {
    const found = READERS.map((read) => read(place, call)).find((use) => use !== undefined);
    return found === undefined ? [] : [{ call, useFor: found }];
  });
}

interface FilePlace {
  readonly code: Code;
  readonly source: string;
  readonly paths: PathExpressions;
  readonly folder: string;
}

type UseFor = TapeCall['useFor'];

const READERS: readonly ((place: FilePlace, call: CodeCall) => UseFor | undefined)[] = [
  polly,
  pollyByTitle,
  nock,
  aimock,
  aiSdk,
  readFixture,
];

/** `new Polly('name', …)`: a folder of its own in the folder of recordings. */
function polly(place: FilePlace, call: CodeCall): UseFor | undefined {
  if (!/(?:^|\.)Polly$/.test(call.name) || !place.code.is(call.first - 1, 'new')) return undefined;
  const name = place.code.onlyIn(call.args[0]);
  return () => recordingOf(place, call, name?.type === 'string' ? name.value : undefined);
}

/** `setupPolly(…)` of setup-polly-jest, and Polly's own hooks for Mocha: recordings are named after suites and test. */
function pollyByTitle(place: FilePlace, call: CodeCall): UseFor | undefined {
  if (!/^(?:setupPolly|setupMocha)(?:\.beforeEach)?$/.test(call.name)) return undefined;
  if (!/['"](?:setup-polly-jest|@pollyjs\/core)['"]/.test(place.source)) return undefined;
  return (titles) => recordingOf(place, call, titles?.join('/'));
}

function recordingOf({ paths, folder }: FilePlace, call: CodeCall, name: string | undefined): TestTapeUse {
  const use = { recorder: 'polly' as const, isFamily: false, span: call };
  if (name === undefined) return { ...use, paths: [] };
  const recording = pollyRecordingPath(name);
  const written = paths.memberIn(call, 'recordingsDir');
  const home = written && paths.pathIn(written);
  // The folder may be set for all tests elsewhere. The name has a hash, so there is hardly another one like it.
  if (home === undefined) return { ...use, paths: [recording], isAnywhere: true };
  return { ...use, paths: candidates(folder, { ...home, path: joined(home.path, recording) }) };
}

/** `nock.back('name.json')`, in the folder of `nock.back.fixtures`. */
function nock({ code, source, paths, folder }: FilePlace, call: CodeCall): UseFor | undefined {
  const isImported = /\bback\b[^;\n]*['"]nock['"]/.test(source);
  if (!/(?:^|\.)(?:nockBack|nock\.back)$/.test(call.name) && !(call.name === 'back' && isImported)) return undefined;
  const [first] = call.args;
  const name = first && paths.pathIn(first);
  const use = { recorder: 'nock' as const, isFamily: false, span: call };
  if (name === undefined || code.nameAt(call.first - 1) === 'function') return () => ({ ...use, paths: [] });
  const written = paths.assignedTo('fixtures');
  const home = written && paths.pathIn(written);
  if (home === undefined) return () => ({ ...use, paths: [joined(name.path)], isAnywhere: true });
  return () => ({ ...use, paths: candidates(folder, { ...home, path: joined(home.path, name.path) }) });
}

/** `mock.loadFixtureFile('fixtures/a.json')`, `useAimock({ fixtures: … })`. */
function aimock({ paths, folder }: FilePlace, call: CodeCall): UseFor | undefined {
  const isLoad = /\.loadFixtureFile$/.test(call.name);
  if (!isLoad && call.name !== 'useAimock') return undefined;
  const range = isLoad ? call.args[0] : paths.memberIn(call, 'fixtures');
  if (range === undefined) return undefined;
  return fixedUse('aimock', folder, paths.pathIn(range), call);
}

/** The helpers in the tests of the AI SDK's providers, `prepareChunksFixtureResponse('name')`. */
function aiSdk({ code, paths, folder }: FilePlace, call: CodeCall): UseFor | undefined {
  const [, kind] = /^prepare(Chunks|Json)Fixture(?:Response)?$/.exec(call.name) ?? [];
  const [first] = call.args;
  if (kind === undefined || first === undefined || code.is(call.first - 1, 'function')) return undefined;
  const name = paths.pathIn(first);
  const file = name && `${name.path}.${kind === 'Chunks' ? 'chunks.txt' : 'json'}`;
  const homes = ['__fixtures__', 'src/__fixtures__'];
  const found =
    file === undefined ? [] : ancestorsOf(folder).flatMap((home) => homes.map((one) => joined(home, one, file)));
  return () => ({ recorder: 'fixture', paths: found, isFamily: false, span: call });
}

/** `readFileSync('src/__fixtures__/a.chunks.txt')`. */
function readFixture({ paths, folder }: FilePlace, call: CodeCall): UseFor | undefined {
  if (!/(?:^|\.)readFile(?:Sync)?$/.test(call.name) || call.args[0] === undefined) return undefined;
  const written = paths.pathIn(call.args[0]);
  if (written === undefined || !/\.chunks\.txt$|(?:^|\/)__fixtures__\/.*\.json$/.test(written.path)) return undefined;
  return fixedUse('fixture', folder, written, call);
}

/** A path as code writes it: from the file's own folder, or from the folder that the test runs in. */
interface WrittenPath {
  readonly isFromFile: boolean;
  readonly path: string;
}

function fixedUse(recorder: TestRecorder, folder: string, written: WrittenPath | undefined, span: CodeCall): UseFor {
  const paths = written === undefined ? [] : candidates(folder, written);
  return () => ({ recorder, paths, isFamily: false, span });
}

/** A path from the root: of the test's own folder, or of the package, which is a folder that the test is in. */
function candidates(folder: string, { isFromFile, path }: WrittenPath): string[] {
  if (isFromFile) return [joined(folder, path)];
  return ancestorsOf(folder).map((home) => joined(home, path));
}

const HERE = /^(?:__dirname|import\.meta\.dirname)$/;
const JOIN = /^(?:path\.)?(?:posix\.)?(?:join|resolve)$/;

/** How many constants are followed from one to the next. */
const MOST_STEPS = 8;

/** The paths in a file. Nothing is evaluated: a path of other than the usual expressions is not known. */
class PathExpressions {
  constructor(
    private readonly code: Code,
    private readonly source: string,
  ) {}

  /** The path of a whole range of tokens. */
  pathIn(range: TokenRange, steps = 0): WrittenPath | undefined {
    const sum = this.#atPlus(range);
    if (sum.length > 1) return this.#joinAll(sum, steps, '');
    const { from, to } = range;
    const token = this.code.tokens[from];
    if (token?.type === 'string' && to === from + 1) return { isFromFile: false, path: token.value };
    if (token?.type === 'template' && to === from + 1) {
      const [before = '', ...after] = token.pieces;
      if (before === '' && after.length === 1 && HERE.test(token.holes[0] ?? ''))
        return { isFromFile: true, path: after.join('') };
      return undefined;
    }
    const written = this.source.slice(token?.start, this.code.tokens[to - 1]?.end);
    if (HERE.test(written)) return { isFromFile: true, path: '' };
    const call = this.code.callIn(this.#withoutNew(this.#withoutPathname(range)));
    if (call !== undefined) return this.#called(call, steps);
    return to === from + 1 && token?.type === 'name' && steps < MOST_STEPS
      ? this.#constant(token.text, steps)
      : undefined;
  }

  #called(call: CodeCall, steps: number): WrittenPath | undefined {
    if (JOIN.test(call.name)) return this.#joinAll(call.args, steps, '/');
    if (call.name === 'process.cwd') return { isFromFile: false, path: '' };
    const [first, second] = call.args;
    if (first === undefined) return undefined;
    if (/(?:^|\.)fileURLToPath$/.test(call.name)) return this.pathIn(first, steps);
    if (call.name !== 'URL' || second === undefined) return undefined;
    const isHere = this.#written(second) === 'import.meta.url';
    const path = this.pathIn(first, steps);
    return isHere && path !== undefined ? { isFromFile: true, path: path.path } : undefined;
  }

  /** The value of a member of an object literal among the arguments of a call, `name: …`. */
  memberIn(call: CodeCall, name: string): TokenRange | undefined {
    for (let at = call.opening + 1; at < call.closing; at += 1)
      if (this.code.nameAt(at) === name && this.code.is(at + 1, ':')) return this.#valueFrom(at + 2);
    return undefined;
  }

  /** The value that is assigned to `something.name = …`, anywhere in the file. */
  assignedTo(name: string): TokenRange | undefined {
    const at = this.code.tokens.findIndex(
      (_, index) => this.code.nameAt(index) === name && this.code.is(index - 1, '.') && this.code.is(index + 1, '='),
    );
    return at === -1 ? undefined : this.#valueFrom(at + 2);
  }

  #constant(name: string, steps: number): WrittenPath | undefined {
    const places = this.code.tokens.flatMap((_, at) =>
      this.code.is(at, 'const') && this.code.nameAt(at + 1) === name && this.code.is(at + 2, '=') ? [at + 3] : [],
    );
    const [only] = places;
    if (only === undefined || places.length > 1) return undefined;
    return this.pathIn(this.#valueFrom(only), steps + 1);
  }

  /** The expression that begins at a token: to the end of its line, or what closes the brackets around it. */
  #valueFrom(from: number): TokenRange {
    const { tokens } = this.code;
    let to = from;
    while (to < tokens.length) {
      if ([',', ';', ')', ']', '}'].some((end) => this.code.is(to, end))) break;
      if (to > from && this.#isNewLine(to) && !this.code.is(to, '+') && !this.code.is(to - 1, '+')) break;
      to = ['(', '[', '{'].some((open) => this.code.is(to, open)) ? this.code.partnerOf(to) + 1 : to + 1;
    }
    return { from, to: Math.min(to, tokens.length) };
  }

  #isNewLine(at: number): boolean {
    return this.source.slice(this.code.tokens[at - 1]?.end, this.code.tokens[at]?.start).includes('\n');
  }

  #joinAll(ranges: readonly TokenRange[], steps: number, separator: '' | '/'): WrittenPath | undefined {
    const parts = ranges.map((range) => this.pathIn(range, steps));
    const known = parts.filter((part) => part !== undefined);
    // The folder of the file can only come first.
    if (known.length < parts.length || known.slice(1).some(({ isFromFile }) => isFromFile)) return undefined;
    const path = known.map((part) => part.path).join(separator);
    return { isFromFile: known[0]?.isFromFile ?? false, path: joined(path) };
  }

  /** The terms of a sum. */
  #atPlus({ from, to }: TokenRange): TokenRange[] {
    const terms: TokenRange[] = [];
    let start = from;
    for (let at = from; at < to; at += 1) {
      if (this.code.is(at, '(')) at = Math.min(this.code.partnerOf(at), to);
      else if (this.code.is(at, '+')) {
        terms.push({ from: start, to: at });
        start = at + 1;
      }
    }
    return [...terms, { from: start, to }];
  }

  /** `new URL(…).pathname`. */
  #withoutPathname({ from, to }: TokenRange): TokenRange {
    return { from, to: this.code.nameAt(to - 1) === 'pathname' && this.code.is(to - 2, '.') ? to - 2 : to };
  }

  #withoutNew({ from, to }: TokenRange): TokenRange {
    return this.code.is(from, 'new') ? { from: from + 1, to } : { from, to };
  }

  #written({ from, to }: TokenRange): string {
    return this.source.slice(this.code.tokens[from]?.start, this.code.tokens[to - 1]?.end);
  }
}
