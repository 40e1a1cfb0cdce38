import type { Span } from '../../text/source';
import { Code, type CodeCall, type TokenRange } from '../code/codeCalls';
import { readCodeTokens } from '../code/codeTokens';
import type { TapeTest, TestFile, TestRecorder, TestTapeUse } from '../tapeTest';
import { folderOf, joined } from '../testPaths';
import type { TestKind, TestMode, TestRun } from '../testRun';

/** The tests of `go test`. */
export const goKind: TestKind = {
  language: 'go',
  isTestFile: (path) => path.endsWith('_test.go'),
  sources: /\.go$/,
  isOfFolder: true,
  named: (text) =>
    goTests(new Code(readCodeTokens(text, { hasTemplates: false }))).map(({ name, nameSpan, start }) => {
      return { names: [[name], [`${name}/`, '']], nameSpan, start };
    }),
  selectOf: (name) => name,
  read,
  run: goRun,
};

/** Matches files that may use a tape through a function of another file. */
const MAY_RECORD = /record|vcr|httprr|cassette|replay|testdata/i;

/** Matches files that may use tapes; most test files do not, and need not be read. */
const MENTIONS = /\brecorder\.New|\bvcr\.New|\bhttprr\.Open|\btapedeck\.(?:URL|Transport)\b/;

function read(file: string, text: string): TestFile {
  if (!MENTIONS.test(text)) return { tests: [], isUnclear: MAY_RECORD.test(text) };
  const code = new Code(readCodeTokens(text, { hasTemplates: false }));
  const tests = goTests(code);
  const found = code.calls.flatMap((call) => {
    const test = innermost(tests, call);
    const use = goTapeUse(code, call, file, test?.name);
    return use === undefined ? [] : [{ test, use }];
  });
  const withTapes = tests.flatMap((test) => {
    const uses = found.filter((one) => one.test === test).map(({ use }) => use);
    return uses.length === 0 ? [] : [tapeTest(file, test, uses)];
  });
  const isKnown = found.length > 0 && found.every(({ test, use }) => test !== undefined && use.paths.length > 0);
  return { tests: withTapes, isUnclear: !isKnown };
}

function tapeTest(file: string, { name, nameSpan, start }: GoTest, uses: TestFile['tests'][number]['uses']) {
  return { file, language: 'go' as const, name, select: name, nameSpan, start, uses };
}

/** A test function, or a subtest whose name is a literal. */
interface GoTest extends Span {
  /** `TestName`, `TestName/subtest`. */
  readonly name: string;
  readonly nameSpan: Span;
  /** The braces around it among the tokens. */
  readonly opening: number;
  readonly closing: number;
}

/** The tests of a file as `go test` finds them, with their subtests after them. */
function goTests(code: Code): GoTest[] {
  const tests: GoTest[] = [];
  code.tokens.forEach((token, at) => {
    const name = code.nameAt(at + 1) ?? '';
    const nameToken = code.tokens[at + 1];
    if (!code.is(at, 'func') || !/^Test(?![\p{Ll}])/u.test(name) || !code.is(at + 2, '(')) return;
    const opening = code.partnerOf(at + 2) + 1;
    if (nameToken === undefined || !code.is(opening, '{')) return;
    const closing = code.partnerOf(opening);
    const end = code.tokens[closing]?.end ?? nameToken.end;
    tests.push({ name, nameSpan: nameToken, opening, closing, start: token.start, end });
  });
  return withSubtests(code, tests);
}

/** `t.Run("name", func(t *testing.T) {…})`. */
function withSubtests(code: Code, tests: GoTest[]): GoTest[] {
  const all = [...tests];
  for (const call of code.calls) {
    if (!/^\w+\.Run$/.test(call.name)) continue;
    const parent = innermost(all, call);
    const title = code.onlyIn(call.args[0]);
    if (parent === undefined || title?.type !== 'string') continue;
    const { opening, closing, start, end } = call;
    // As the testing package writes them.
    all.push({
      name: `${parent.name}/${title.value.replace(/\s/g, '_')}`,
      nameSpan: title,
      opening,
      closing,
      start,
      end,
    });
  }
  return all;
}

/** The innermost test that a call is in. */
function innermost(tests: readonly GoTest[], call: CodeCall): GoTest | undefined {
  return tests.findLast(({ opening, closing }) => call.opening > opening && call.opening < closing);
}

/** Replays a test, or records it: Tapedeck by its flag, go-vcr if there is no cassette, httprr what its flag matches. */
function goRun({ file, select = '', uses }: TapeTest, mode: TestMode): TestRun {
  const only = select
    .split('/')
    .map((name) => `^${escaped(name)}$`)
    .join('/');
  const recordsTraces = mode === 'record' && uses.some(({ recorder }) => recorder === 'httprr');
  // Not from Go's cache, which returns the last result if no file of the package has changed.
  const args = ['test', '.', '-count=1', '-run', only, ...(recordsTraces ? [`-httprecord=${traces(uses)}`] : [])];
  if (uses[0]?.recorder === 'tapedeck') {
    const own = [...args, `-tapedeck=${mode === 'record' ? 'rewrite' : 'none'}`];
    return { program: 'go', args: own, env: {}, folder: folderOf(file), needsTapeAside: false };
  }
  return { program: 'go', args, env: {}, folder: folderOf(file), needsTapeAside: mode === 'record' };
}

/** A regular expression of the test's traces; of any trace if they are unknown, since no other test runs. */
function traces(uses: TapeTest['uses']): string {
  const paths = uses.flatMap(({ recorder, paths: [path] }) => (recorder === 'httprr' ? [path] : []));
  if (paths.includes(undefined)) return '.';
  return paths.map((path = '') => `${escaped(path.slice(path.lastIndexOf('/') + 1))}$`).join('|');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** The tape that a call names, in the test around it; undefined for any other call. Tests run in the folder of their package. */
function goTapeUse(code: Code, call: CodeCall, testFile: string, test: string | undefined): TestTapeUse | undefined {
  const found = tapeOf(code, call, test);
  if (found === undefined) return undefined;
  const folder = folderOf(testFile);
  return {
    recorder: found.recorder,
    paths: found.paths.map((path) => joined(folder, path)),
    isFamily: false,
    span: call,
  };
}

interface FoundTape {
  readonly recorder: TestRecorder;
  readonly paths: readonly string[];
}

function tapeOf(code: Code, call: CodeCall, test: string | undefined): FoundTape | undefined {
  const [first] = call.args;
  if (first === undefined) return undefined;
  switch (call.name) {
    case 'recorder.New':
    case 'recorder.NewAsMode':
      return cassette(goPath(code, first, test));
    case 'recorder.NewWithOptions': {
      const name = memberIn(code, call, 'CassetteName');
      return cassette(name && goPath(code, name, test));
    }
    // charm.land/x/vcr names a cassette after its test.
    case 'vcr.NewRecorder':
      return cassette(test && `testdata/${test}`);
    case 'httprr.Open':
      return trace(goPath(code, first, test));
    case 'httprr.OpenForTest':
    case 'httprr.OpenForEmbeddingTest':
      return trace(test && `testdata/${cleanFileName(test)}.httprr`);
    case 'tapedeck.URL':
    case 'tapedeck.Transport':
      return { recorder: 'tapedeck', paths: isPlain(test) ? [`testdata/tapes/${test}.tape.jsonl`] : [] };
    default:
      return undefined;
  }
}

/** Other names of tests get a digest in the file's name. */
function isPlain(test: string | undefined): test is string {
  return test?.split('/').every((name) => /^(?!\.)[\p{L}\p{N}._=,+@()[\]{}#-]+$/u.test(name)) === true;
}

function cassette(name: string | undefined): FoundTape {
  return { recorder: 'go-vcr', paths: name === undefined ? [] : [`${name}.yaml`] };
}

/** A trace may be packed. */
function trace(path: string | undefined): FoundTape {
  return { recorder: 'httprr', paths: path === undefined ? [] : [path, `${path}.gz`] };
}

/** The file name that langchaingo's httprr makes from the name of a test. */
function cleanFileName(test: string): string {
  return test.replace(/[/\\:*?"<>| -]+/g, '-').replace(/^-|-$/g, '');
}

function memberIn(code: Code, call: CodeCall, name: string): TokenRange | undefined {
  for (let at = call.opening + 1; at < call.closing; at += 1)
    if (code.nameAt(at) === name && code.is(at + 1, ':')) {
      const brace = code.tokens.findIndex((_, index) => index > at && code.is(index, '}'));
      return code.splitAt(at + 2, brace === -1 ? call.closing : brace)[0];
    }
  return undefined;
}

/** The path that an expression has in a test of this name; undefined if it is computed at run time. */
function goPath(code: Code, range: TokenRange, test: string | undefined): string | undefined {
  const { from, to } = range;
  const token = code.tokens[from];
  const plus = code.tokens.findIndex((_, at) => at > from && at < to && code.is(at, '+') && !isNested(code, range, at));
  if (plus !== -1)
    return together(
      [
        { from, to: plus },
        { from: plus + 1, to },
      ].map((one) => goPath(code, one, test)),
      '',
    );
  if (token?.type === 'string' && to === from + 1) return token.value;
  const call = code.callIn(range);
  if (call === undefined) return undefined;
  if (/^\w+\.Name$/.test(call.name) && call.args.length === 0) return test;
  const args = call.args.map((one) => goPath(code, one, test));
  switch (call.name) {
    case 'filepath.Join':
    case 'path.Join':
      return together(args, '/');
    case 'filepath.FromSlash':
      return args[0];
    case 'strings.ReplaceAll':
    case 'strings.Replace': {
      const [text, old, by] = args;
      return old === undefined || by === undefined ? undefined : text?.replaceAll(old, () => by);
    }
    case 'fmt.Sprintf': {
      const [format, ...values] = args;
      if (format === undefined || values.includes(undefined) || /%[^sv%]/.test(format)) return undefined;
      let next = 0;
      return format.replace(/%([sv%])/g, (_, verb) => (verb === '%' ? '%' : (values[next++] ?? '')));
    }
    default:
      return undefined;
  }
}

/** Whether a token is within brackets of a range. */
function isNested(code: Code, { from }: TokenRange, at: number): boolean {
  for (let place = from; place < at; place += 1)
    if (code.is(place, '(') || code.is(place, '{') || code.is(place, '[')) {
      const closing = code.partnerOf(place);
      if (closing > at) return true;
      place = closing;
    }
  return false;
}

function together(parts: readonly (string | undefined)[], separator: string): string | undefined {
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length) return undefined;
  return separator === '' ? known.join('') : joined(known.join(separator));
}
