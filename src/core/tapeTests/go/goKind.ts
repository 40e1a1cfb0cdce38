import { Code } from '../code/codeCalls';
import { readCodeTokens } from '../code/codeTokens';
import type { TestFile } from '../tapeTest';
import type { TestKind } from '../testRun';
import { goRun } from './goRun';
import { goTapeUse, MENTIONS } from './goTapeUse';
import { type GoTest, goTests, innermost } from './goTests';

/** The tests of `go test`. */
export const goKind: TestKind = {
  language: 'go',
  isTestFile: (path) => path.endsWith('_test.go'),
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
