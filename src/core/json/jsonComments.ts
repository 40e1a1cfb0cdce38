import type { Json } from './json';
import { parseExactJson } from './readJson';

/** A string, a comment, or a comma before the end of a list or an object. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[\]}])/g;

/** The value of JSON that people write for editors: with comments, and commas after the last item. */
export function parseCommentedJson(text: string): Json | undefined {
  return parseExactJson(text.replace(TOKEN, (token) => (token.startsWith('"') ? token : token === ',' ? '' : ' ')));
}
