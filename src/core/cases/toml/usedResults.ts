import { isRecord, type Json } from '../../json/json';
import { parseJson } from '../../json/readJson';

/** Shorter words are in most texts. In letters. */
const TELLING_LENGTH = 4;
const WORD = /[\p{L}\p{N}]+/gu;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const THOUSANDS = /(?<=\d)[,'\u00a0\u202f](?=\d{3}(?!\d))/g;

/**
 * Whether a later text of the model has a word or a number of a tool's result. The names of members do not count. A result that
 * says nothing in words, such as `true`, is used.
 */
export function isResultUsed(result: string, later: readonly string[]): boolean {
  const value = parseJson(result);
  const telling = new Set(leavesOf(value === undefined ? result : value).flatMap(tellingWords));
  if (telling.size === 0) return true;
  return later.some((text) => wordsOf(text).some((word) => telling.has(word)));
}

/** The texts and numbers of a value. */
export function leavesOf(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap((item: Json) => leavesOf(item));
  return isRecord(value) ? Object.values(value).flatMap(leavesOf) : [];
}

/** The words that say something; those of a text that has only short ones are all of them. */
function tellingWords(text: string): readonly string[] {
  const words = wordsOf(text);
  const telling = words.filter((word) => word.length >= TELLING_LENGTH || /\p{N}/u.test(word) || UNSPACED.test(word));
  return telling.length > 0 ? telling : words;
}

function wordsOf(text: string): readonly string[] {
  const words = text.toLowerCase().replace(THOUSANDS, '').match(WORD) ?? [];
  return words.flatMap((word) => (UNSPACED.test(word) ? pairsOf(word) : [word]));
}

/** Each two neighbouring characters, in place of words that nothing separates. */
function pairsOf(word: string): readonly string[] {
  const letters = [...word];
  return letters.length < 2 ? letters : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
}
