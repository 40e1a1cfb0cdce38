import type { Json } from '../../json/json';
import { parseExactJson, parseJson } from '../../json/readJson';
import { composePattern } from '../../text/pattern';

/** The names of what may be the arguments of a call. */
const NAMES = ['input', 'args', 'arguments', 'parameters', 'partialArgs', 'partial_args'];
/** Arguments of a call that are an object, not a text of JSON. */
const ARGUMENTS = composePattern(`"(?:${NAMES.join('|')})"\\s*:\\s*[{[]`);

/** The JSON of a body. Where it may have arguments of a call, its numbers are remembered as they were written. */
export function parseBodyJson(text: string): Json | undefined {
  // A plain search for the names is many times faster than the pattern.
  const mayHaveArguments = NAMES.some((name) => text.includes(`"${name}"`)) && ARGUMENTS.test(text);
  return mayHaveArguments ? parseExactJson(text) : parseJson(text);
}
