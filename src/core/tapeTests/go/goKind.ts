import type { Span } from '../../text/source';
import { Code, type CodeCall } from '../code/codeCalls';
import { readCodeTokens } from '../code/codeTokens';
import type { TapeTest, TestFile } from '../tapeTest';
import { folderOf } from '../testPaths';
import type { TestKind, TestMode, TestRun } from '../testRun';
import { goTapeUse, MENTIONS } from './goTapeUse';

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
