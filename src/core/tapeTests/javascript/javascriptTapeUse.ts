import type { Code, CodeCall } from '../code/codeCalls';
import type { TestRecorder, TestTapeUse } from '../tapeTest';
import { ancestorsOf, folderOf, joined } from '../testPaths';
import { PathExpressions, type WrittenPath } from './pathExpression';
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

function fixedUse(recorder: TestRecorder, folder: string, written: WrittenPath | undefined, span: CodeCall): UseFor {
  const paths = written === undefined ? [] : candidates(folder, written);
  return () => ({ recorder, paths, isFamily: false, span });
}

/** A path from the root: of the test's own folder, or of the package, which is a folder that the test is in. */
function candidates(folder: string, { isFromFile, path }: WrittenPath): string[] {
  if (isFromFile) return [joined(folder, path)];
  return ancestorsOf(folder).map((home) => joined(home, path));
}
