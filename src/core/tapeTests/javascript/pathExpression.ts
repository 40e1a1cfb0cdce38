import type { Code, CodeCall, TokenRange } from '../code/codeCalls';
import { joined } from '../testPaths';

/** A path as code writes it: from the file's own folder, or from the folder that the test runs in. */
export interface WrittenPath {
  readonly isFromFile: boolean;
  readonly path: string;
}

const HERE = /^(?:__dirname|import\.meta\.dirname)$/;
const JOIN = /^(?:path\.)?(?:posix\.)?(?:join|resolve)$/;
/** How many constants are followed from one to the next. */
const MOST_STEPS = 8;

/** The paths in a file. Nothing is evaluated: a path of other than the usual expressions is not known. */
export class PathExpressions {
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
