import type { Code, CodeCall } from '../code/codeCalls';

/** The title of a suite or test. */
interface Title {
  readonly text: string;
  /** A regular expression that matches the title at run time; undefined if it is computed there. */
  readonly pattern: string | undefined;
  /** Whether the text is the whole title: it has no placeholder. */
  readonly isWhole: boolean;
}

/** A suite or a test of Vitest, Jest, Mocha, or `node:test`. */
export interface TestBlock {
  readonly isTest: boolean;
  readonly call: CodeCall;
  readonly title: Title;
  /** The suites around it, outermost first. */
  readonly suites: readonly TestBlock[];
}

const SUITE = /^(?:[fx]?describe|suite|context)$/;
const TEST = /^(?:[fx]?it|x?test|specify)$/;
const MODIFIERS =
  /^(?:\.(?:only|skip|concurrent|sequential|shuffle|fails|failing|todo))*(?:\.(?:each|for|runIf|skipIf)\(\))?$/;

/** The suites and tests of a file, in their order. A test within a test is not one of its own. */
export function testBlocks(code: Code): TestBlock[] {
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
  const [, root = '', rest = ''] = /^([^.]*)(.*)$/.exec(name) ?? [];
  if (args.length < 2 || !MODIFIERS.test(rest)) return undefined;
  if (SUITE.test(root)) return 'suite';
  return TEST.test(root) ? 'test' : undefined;
}

function titleOf(code: Code, { name, args }: CodeCall): Title {
  const token = code.onlyIn(args[0]);
  if (token?.type === 'template')
    return { text: token.pieces.join('…'), pattern: token.pieces.map(escaped).join('.*'), isWhole: false };
  if (token?.type === 'string') {
    const isEach = /\.(?:each|for)\(\)$/.test(name);
    const parts = isEach ? token.value.split(/%[a-zA-Z#$]|\$[\w.]+/) : [token.value];
    return { text: token.value, pattern: parts.map(escaped).join('.*'), isWhole: parts.length === 1 };
  }
  return { text: '…', pattern: undefined, isWhole: false };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
