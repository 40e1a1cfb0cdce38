import type { Code, TokenRange } from '../code/codeCalls';
import { joined } from '../testPaths';

/** The path that an expression has in a test of this name; undefined if it is computed at run time. */
export function goPath(code: Code, range: TokenRange, test: string | undefined): string | undefined {
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
