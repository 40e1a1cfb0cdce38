/** Shannon's entropy of a text in bits a character: 0 for one letter repeated, about 5 for a random key of 50 letters. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Does a text have at least two of: small letters, capitals, digits? Words and numbers have one. */
export function isMixed(text: string): boolean {
  const alphabets = [/[a-z]/, /[A-Z]/, /[0-9]/];
  return alphabets.filter((alphabet) => alphabet.test(text)).length >= 2;
}
