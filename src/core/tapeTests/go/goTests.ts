import type { Span } from '../../text/source';
import type { Code, CodeCall } from '../code/codeCalls';

/** A test function, or a subtest whose name is a literal. */
export interface GoTest extends Span {
  /** `TestName`, `TestName/subtest`. */
  readonly name: string;
  readonly nameSpan: Span;
  /** The braces around it among the tokens. */
  readonly opening: number;
  readonly closing: number;
}

/** The tests of a file as `go test` finds them, with their subtests after them. */
export function goTests(code: Code): GoTest[] {
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
export function innermost(tests: readonly GoTest[], call: CodeCall): GoTest | undefined {
  return tests.findLast(({ opening, closing }) => call.opening > opening && call.opening < closing);
}
