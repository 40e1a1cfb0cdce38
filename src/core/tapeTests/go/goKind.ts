import type { Span } from '../../text/source';
import { Code, type CodeCall } from '../code/codeCalls';
import { readCodeTokens } from '../code/codeTokens';
import type { TestFile } from '../tapeTest';
import type { TestKind } from '../testRun';
import { goRun } from './goRun';
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
