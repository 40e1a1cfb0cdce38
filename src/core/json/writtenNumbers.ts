/**
 * How numbers were written where JavaScript writes them otherwise, such as `1.0`, `-0.0` and `1e5`. Values hold plain numbers, so
 * that whoever compares or computes sees no difference; the list or object that holds a number remembers its lexeme for
 * those that write it again. A copy remembers nothing until it is told to.
 */
const lexemes = new WeakMap<object, Map<string, string>>();
let isAnyRemembered = false;

export function rememberNumber(holder: object, key: string | number, lexeme: string): void {
  isAnyRemembered = true;
  const known = lexemes.get(holder) ?? new Map<string, string>();
  lexemes.set(holder, known.set(`${key}`, lexeme));
}

/** The lexeme of a number; undefined if JavaScript writes it so too. */
export function writtenNumber(holder: object, key: string | number): string | undefined {
  return lexemes.get(holder)?.get(`${key}`);
}

/** Lets a copy of a list or object, with the same keys, remember what the original does, except for a changed member. */
export function copyWrittenNumbers(from: object, to: object, changed?: string | number): void {
  for (const [key, lexeme] of lexemes.get(from) ?? []) if (key !== `${changed}`) rememberNumber(to, key, lexeme);
}

/** Remembers the text of a value, if that is a number. */
export function rememberText(holder: object, key: string | number, text: string | null | undefined): void {
  if (text && /^-?\d/.test(text)) rememberNumber(holder, key, text);
}

export function copyWrittenNumber(from: object, key: string | number, to: object, newKey: string | number): void {
  const lexeme = writtenNumber(from, key);
  if (lexeme !== undefined) rememberNumber(to, newKey, lexeme);
}

/** Whether a list or object, or one inside of it, remembers how a number was written. */
export function hasWrittenNumbers(value: unknown): boolean {
  if (!isAnyRemembered || typeof value !== 'object' || value === null) return false;
  return lexemes.has(value) || Object.values(value).some(hasWrittenNumbers);
}

/** A fraction that ends in zero or is longer than any that is printed, an exponent, a negative zero. */
const ODD_NUMBER = /[[:,\s](?:-?\d+\.(?:\d*0|\d{18,})|-?\d+(?:\.\d+)?[eE][-+]?\d+|-0)(?=[\s,\]}])/;

/** Whether a JSON text may have numbers that JavaScript would write otherwise. A text in it may look like one. */
export function mayHaveOddNumbers(text: string): boolean {
  return ODD_NUMBER.test(text);
}
