import type { Json } from '../../json/json';
import { parseExactJson, parseJson } from '../../json/readJson';

/** Arguments of a call that are an object, not a text of JSON. */
const ARGUMENTS = /"(?:input|args|arguments|parameters|partialArgs|partial_args)"\s*:\s*[{[]/;

/** The JSON of a body. Where it may have arguments of a call, its numbers are remembered as they were written. */
export function parseBodyJson(text: string): Json | undefined {
  return ARGUMENTS.test(text) ? parseExactJson(text) : parseJson(text);
}
