import type { Span } from '../../text/source';
import type { PythonToken } from './pythonTokens';

/** A dotted name or call, `a.b.c` or `a.b.c(…)`, as in decorators. */
export interface PythonCall extends Span {
  readonly name: string;
  /** By position; undefined if the argument is not a literal string. */
  readonly args: readonly (string | undefined)[];
  readonly keywords: ReadonlyMap<string, string | undefined>;
}

/** Reads the dotted name or call that begins at a token; undefined if there is none. */
export function callAt(tokens: readonly PythonToken[], at: number): PythonCall | undefined {
  const first = tokens[at];
  if (first?.type !== 'name') return undefined;
  let name = first.text;
  let last: PythonToken = first;
  let next = at + 1;
  while (isOperator(tokens[next], '.')) {
    const part = tokens[next + 1];
    if (part?.type !== 'name') break;
    name += `.${part.text}`;
    last = part;
    next += 2;
  }
  const none = { args: [], keywords: new Map<string, string | undefined>() };
  if (!isOperator(tokens[next], '(')) return { name, ...none, start: first.start, end: last.end };
  const closing = closingOf(tokens, next);
  const end = tokens[closing]?.end ?? tokens.at(-1)?.end ?? last.end;
  return { name, ...argumentsIn(tokens.slice(next + 1, closing)), start: first.start, end };
}

export function isOperator(token: PythonToken | undefined, text: string): boolean {
  return token?.type === 'operator' && token.text === text;
}

/** The index of the closing bracket; beyond the end where there is none. */
export function closingOf(tokens: readonly PythonToken[], opening: number): number {
  let depth = 0;
  for (let at = opening; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.type !== 'operator') continue;
    if ('([{'.includes(token.text)) depth += 1;
    else if (')]}'.includes(token.text)) depth -= 1;
    if (depth === 0) return at;
  }
  return tokens.length;
}

function argumentsIn(tokens: readonly PythonToken[]): Pick<PythonCall, 'args' | 'keywords'> {
  const args: (string | undefined)[] = [];
  const keywords = new Map<string, string | undefined>();
  for (const argument of splitAtCommas(tokens)) {
    const [key, equals] = argument;
    if (key?.type === 'name' && isOperator(equals, '=')) keywords.set(key.text, literal(argument.slice(2)));
    else args.push(literal(argument));
  }
  return { args, keywords };
}

/** Splits tokens at commas outside brackets. */
export function splitAtCommas(tokens: readonly PythonToken[]): PythonToken[][] {
  const parts: PythonToken[][] = [[]];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined) continue;
    if (isOperator(token, ',')) parts.push([]);
    else if (token.type === 'operator' && '([{'.includes(token.text)) {
      const closing = closingOf(tokens, at);
      parts.at(-1)?.push(...tokens.slice(at, closing + 1));
      at = closing;
    } else parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0);
}

/** The value of a literal string; adjacent strings are joined. */
function literal(tokens: readonly PythonToken[]): string | undefined {
  const values = tokens.map((token) => (token.type === 'string' ? token.value : undefined));
  return values.length === 0 || values.includes(undefined) ? undefined : values.join('');
}
