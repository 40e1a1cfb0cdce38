import { Code, type CodeCall, type TokenRange } from '../code/codeCalls';
import { readCodeTokens } from '../code/codeTokens';
import type { TapeTest, TestFile, TestRecorder, TestTapeUse } from '../tapeTest';
import type { NamedTest } from '../testIds';
import type { TestKind, TestMode, TestProgram, TestProject, TestRun } from '../testRun';
import { MENTIONS, type TapeCall, tapeCalls } from './javascriptTapeUse';

/** Tests in JavaScript and TypeScript: those of Vitest, Jest, Mocha, and `node:test`. */
export const javascriptKind: TestKind = {
  language: 'javascript',
  isTestFile: (path) =>
    /\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)__tests__\/(?:.*\/)?[^/]+\.[cm]?[jt]sx?$/.test(path) &&
    !path.endsWith('.d.ts'),
  sources: /\.[cm]?[jt]sx?$/,
  mayImport: /\b(?!(?:x?test|suite)\b)\w*(?:test|suite|spec|behaves|should)\w*\s*\(/i,
  named,
  selectOf: (name) => name.split(' > ').map(escaped).join(TITLE_SEPARATOR),
  runnerIn,
  read,
  run: javascriptRun,
};

const RUNNER =
  /\bfrom\s*['"](vitest|@jest\/globals|node:test|mocha|@playwright\/test|@tapedeck\/cli\/(?:node-test|playwright))['"]|\brequire\(\s*['"](node:test|mocha)['"]/;

function runnerIn(text: string): string | undefined {
  const [, imported, required] = RUNNER.exec(text) ?? [];
  return imported ?? required;
}

/** With a suite, or without: older versions of Node tell a test only its own title. */
function named(text: string): NamedTest[] {
  const code = new Code(readCodeTokens(text, { hasTemplates: true }));
  const blocks = testBlocks(code).filter(({ isTest }) => isTest);
  const tests = blocks.map(({ call, title, suites }) => {
    const whole = [...suites.map((suite) => suite.title.pieces), title.pieces].reduce(joinedPieces);
    return { names: [whole, title.pieces], nameSpan: call, start: call.start };
  });
  // By functions of a project's own, such as those that `test.extend` makes.
  const others = code.calls.flatMap((call) => {
    const token = call.args.length > 1 ? code.onlyIn(call.args[0]) : undefined;
    if (token?.type !== 'string' || blocks.some((block) => isIn(call, block) || block.call === call)) return [];
    return [{ names: [[token.value], ['', ` > ${token.value}`]], nameSpan: call, start: call.start }];
  });
  return [...tests, ...others];
}

function joinedPieces(before: readonly string[], after: readonly string[]): readonly string[] {
  return [...before.slice(0, -1), `${before.at(-1)} > ${after[0]}`, ...after.slice(1)];
}

function read(file: string, text: string): TestFile {
  if (!MENTIONS.test(text)) return { tests: [], isUnclear: MAY_RECORD.test(text) };
  const code = new Code(readCodeTokens(text, { hasTemplates: true }));
  const calls = tapeCalls(code, text, file);
  const blocks = testBlocks(code);
  const tests = blocks.filter(({ isTest }) => isTest);
  // A call outside of a test belongs to every test of its suite, such as one in `beforeEach`.
  const shared = calls.filter(({ call }) => !tests.some((test) => isIn(call, test)));
  const found = tests.flatMap((block) => {
    const uses = [...sharedUses(shared, block, blocks), ...ownUses(calls, block)];
    return uses.length === 0 ? [] : [tapeTest(file, block, uses, runnerIn(text))];
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

/** The title of a suite or test. */
interface Title {
  readonly text: string;
  /** A regular expression that matches the title at run time; undefined if it is computed there. */
  readonly pattern: string | undefined;
  /** What is literal of it: between two pieces is what is computed. */
  readonly pieces: readonly string[];
  /** Whether the text is the whole title: it has no placeholder. */
  readonly isWhole: boolean;
}

/** A suite or a test of Vitest, Jest, Mocha, or `node:test`. */
interface TestBlock {
  readonly isTest: boolean;
  readonly call: CodeCall;
  readonly title: Title;
  /** The suites around it, outermost first. */
  readonly suites: readonly TestBlock[];
}

const SUITE = /^(?:[fx]?describe|suite|context)$/;
/** Playwright's. */
const OF_TEST = /^test\.(?=describe\b)/;
const TEST = /^(?:[fx]?it|x?test|specify)$/;
const MODIFIERS =
  /^(?:\.(?:only|skip|concurrent|parallel|serial|fixme|sequential|shuffle|fails|failing|todo))*(?:\.(?:each|for|runIf|skipIf)\(\))?$/;

/** The suites and tests of a file, in their order. A test within a test is not one of its own. */
function testBlocks(code: Code): TestBlock[] {
  const found: TestBlock[] = [];
  let open: TestBlock[] = [];
  for (const call of code.calls) {
    open = open.filter((block) => call.opening < block.call.closing);
    const kind = kindOf(call);
    if (kind === undefined || open.some(({ isTest }) => isTest)) continue;
    const block = { isTest: kind === 'test', call, title: titleOf(code, call), suites: open };
    found.push(block);
    open = [...open, block];
  }
  return found;
}

/** A call with a title and a function. */
function kindOf({ name, args }: CodeCall): 'suite' | 'test' | undefined {
  const [, root = '', rest = ''] = /^([^.]*)(.*)$/.exec(name.replace(OF_TEST, '')) ?? [];
  if (args.length < 2 || !MODIFIERS.test(rest)) return undefined;
  if (SUITE.test(root)) return 'suite';
  return TEST.test(root) ? 'test' : undefined;
}

function titleOf(code: Code, { name, args }: CodeCall): Title {
  const token = code.onlyIn(args[0]);
  if (token?.type === 'template') {
    const { pieces } = token;
    return { text: pieces.join('…'), pieces, pattern: pieces.map(escaped).join('.*'), isWhole: false };
  }
  if (token?.type === 'string') {
    const isEach = /\.(?:each|for)\(\)$/.test(name);
    const pieces = isEach ? token.value.split(/%[a-zA-Z#$]|\$[\w.]+/) : [token.value];
    return { text: token.value, pieces, pattern: pieces.map(escaped).join('.*'), isWhole: pieces.length === 1 };
  }
  return { text: '…', pieces: literalsIn(code, args[0]), pattern: undefined, isWhole: false };
}

/** The literal ends of an expression, such as `'asks ' + n`. */
function literalsIn(code: Code, range: TokenRange | undefined): readonly string[] {
  const end = (at: number, plus: number): string => {
    const token = code.tokens[at];
    return token?.type === 'string' && code.is(plus, '+') ? token.value : '';
  };
  return range === undefined ? ['', ''] : [end(range.from, range.from + 1), end(range.to - 1, range.to - 2)];
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Between the patterns of titles: runners join titles with a space, Vitest from version 4 on with an arrow. */
const TITLE_SEPARATOR = '(?: > | )';

/** Replays a test with the runner of its package, or records it. */
function javascriptRun(test: TapeTest, mode: TestMode, project: TestProject): TestRun {
  const { uses, file } = test;
  const program = runnerOf(test, project.requirements);
  const path = project.folder === '' ? file : file.slice(project.folder.length + 1);
  return {
    program,
    args: argumentsOf(program, path, test, project.requirements),
    env: Object.assign({}, ...uses.map(({ recorder }) => switchOf(recorder, mode))),
    folder: project.folder,
    needsTapeAside: mode === 'record' && uses[0]?.recorder !== 'tapedeck',
  };
}

/** The runner that the file imports, else the one that its package depends on. */
function runnerOf({ runner }: TapeTest, manifest: string): TestProgram {
  if (runner === 'vitest' || runner === 'mocha') return runner;
  if (runner === 'node:test' || runner === '@tapedeck/cli/node-test') return 'node';
  if (runner === '@playwright/test' || runner === '@tapedeck/cli/playwright') return 'playwright';
  if (runner === '@jest/globals') return 'jest';
  return (['vitest', 'jest', 'mocha'] as const).find((name) => manifest.includes(`"${name}"`)) ?? 'vitest';
}

function argumentsOf(program: TestProgram, path: string, test: TapeTest, manifest: string): string[] {
  const { select: pattern = '' } = test;
  switch (program) {
    case 'jest':
      return ['--runTestsByPath', path, '--coverage=false', '-t', `^${pattern}$`];
    case 'mocha':
      return [path, '--grep', `/^${pattern}$/`];
    case 'playwright':
      return ['test', `${escaped(path)}$`, '--grep', ` ${pattern}$`];
    case 'node':
      return [
        ...(/\.[cm]?ts$/.test(path) && manifest.includes('"tsx"') ? ['--import', 'tsx'] : []),
        '--test',
        `--test-name-pattern=${lastOrWhole(pattern)}`,
        path,
      ];
    default:
      return ['run', path, '--coverage.enabled=false', '-t', `^\\s*${pattern}$`];
  }
}

/** Older versions of Node compare the title of the test alone, newer ones with its suites. */
function lastOrWhole(pattern: string): string {
  const last = pattern.split(TITLE_SEPARATOR).at(-1);
  return last === pattern ? `^${pattern}$` : `^(?:${pattern}|${last})$`;
}

/** Polly itself reads no variable: by convention, projects set its `mode` from `POLLY_MODE`. */
function switchOf(recorder: TestRecorder, mode: TestMode): Readonly<Record<string, string>> {
  if (recorder === 'tapedeck') return { TAPEDECK_MODE: mode };
  if (recorder === 'nock') return { NOCK_BACK_MODE: mode === 'record' ? 'record' : 'lockdown' };
  return recorder === 'polly' && mode === 'record' ? { POLLY_MODE: 'record' } : {};
}
