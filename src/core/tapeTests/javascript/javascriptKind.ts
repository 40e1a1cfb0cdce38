import { Code } from '../code/codeCalls';
import { readCodeTokens } from '../code/codeTokens';
import type { TapeTest, TestFile, TestTapeUse } from '../tapeTest';
import type { TestKind } from '../testRun';
import { javascriptRun, TITLE_SEPARATOR } from './javascriptRun';
import { MENTIONS, type TapeCall, tapeCalls } from './javascriptTapeUse';
import { type TestBlock, testBlocks } from './javascriptTests';

/** Tests in JavaScript and TypeScript: those of Vitest, Jest, Mocha, and `node:test`. */
export const javascriptKind: TestKind = {
  language: 'javascript',
  isTestFile: (path) =>
    /\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)__tests__\/(?:.*\/)?[^/]+\.[cm]?[jt]sx?$/.test(path) &&
    !path.endsWith('.d.ts'),
  read,
  run: javascriptRun,
};

const RUNNER = /\bfrom\s*['"](vitest|@jest\/globals|node:test|mocha)['"]|\brequire\(\s*['"](node:test|mocha)['"]/;

function read(file: string, text: string): TestFile {
  if (!MENTIONS.test(text)) return { tests: [], isUnclear: MAY_RECORD.test(text) };
  const code = new Code(readCodeTokens(text, { hasTemplates: true }));
  const calls = tapeCalls(code, text, file);
  const blocks = testBlocks(code);
  const [, imported, required] = RUNNER.exec(text) ?? [];
  const tests = blocks.filter(({ isTest }) => isTest);
  // A call outside of a test belongs to every test of its suite, such as one in `beforeEach`.
  const shared = calls.filter(({ call }) => !tests.some((test) => isIn(call, test)));
  const found = tests.flatMap((block) => {
    const uses = [...sharedUses(shared, block, blocks), ...ownUses(calls, block)];
    return uses.length === 0 ? [] : [tapeTest(file, block, uses, imported ?? required)];
  });
  const isKnown = shared.every((one) => one.useFor([]).paths.length > 0) && calls.length > 0;
  return { tests: found, isUnclear: !isKnown };
}

/** Matches files that may use a tape through something that they import. */
const MAY_RECORD = /polly|nock|cassette|record|replay|fixture/i;

function ownUses(calls: readonly TapeCall[], block: TestBlock): TestTapeUse[] {
  return calls.filter(({ call }) => isIn(call, block)).map(({ useFor }) => useFor(titlesOf(block)));
}

/** An unknown path there is a parameter of a function, whose callers are unknown, too. */
function sharedUses(shared: readonly TapeCall[], block: TestBlock, blocks: readonly TestBlock[]): TestTapeUse[] {
  return shared.flatMap((one) => {
    const suite = blocks.findLast((other) => !other.isTest && isIn(one.call, other));
    if (suite !== undefined && !block.suites.includes(suite)) return [];
    const use = one.useFor(titlesOf(block));
    const isFunction = one.useFor([]).paths.length === 0;
    return isFunction ? [] : [use];
  });
}

function isIn({ opening }: TapeCall['call'], { call }: TestBlock): boolean {
  return opening > call.opening && opening < call.closing;
}

function titlesOf({ suites, title }: TestBlock): readonly string[] | undefined {
  const all = [...suites.map((suite) => suite.title), title];
  return all.every(({ isWhole }) => isWhole) ? all.map(({ text }) => text) : undefined;
}

function tapeTest(file: string, block: TestBlock, uses: readonly TestTapeUse[], runner: string | undefined): TapeTest {
  const { call, title, suites } = block;
  const all = [...suites.map((suite) => suite.title), title];
  const patterns = all.map(({ pattern }) => pattern);
  return {
    file,
    language: 'javascript',
    name: all.map(({ text }) => text).join(' > '),
    select: patterns.includes(undefined) ? undefined : patterns.join(TITLE_SEPARATOR),
    nameSpan: { start: call.start, end: call.end },
    start: call.start,
    uses,
    runner,
  };
}
