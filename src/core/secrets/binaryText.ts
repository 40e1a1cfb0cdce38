import { decodeLatin1, encodeLatin1 } from '../bytes/latin1';

/** Shorter texts in binary data occur by chance. */
const ASCII = /[\t\n\r\x20-\x7e]{8,}/g;
/** The same with the bytes of other characters. */
const LATIN1 = /[\t\n\r\x20-\x7e\x80-\xff]{8,}/g;
/** UTF-16 of ASCII, in either byte order. */
const LITTLE_ENDIAN = /(?:[\t\n\r\x20-\x7e]\0){8,}/g;
const BIG_ENDIAN = /(?:\0[\t\n\r\x20-\x7e]){8,}/g;

/** The texts of binary data, as far as they are ASCII. */
export function textsInBinary(bytes: Uint8Array): string[] {
  const text = decodeLatin1(bytes);
  const wide = [LITTLE_ENDIAN, BIG_ENDIAN].flatMap((units) => text.match(units) ?? []);
  return [...(text.match(ASCII) ?? []), ...wide.map((units) => units.replaceAll('\0', ''))];
}

/** Hides secrets in the texts of binary data, of ASCII alone unless `isWide`; the same object if there are none. */
export function hideInBinary(bytes: Uint8Array, hide: (text: string) => string, isWide: boolean): Uint8Array {
  const original = decodeLatin1(bytes);
  let text = original.replace(isWide ? LATIN1 : ASCII, (ascii) => hide(ascii));
  if (text.includes('\0')) {
    for (const wide of [LITTLE_ENDIAN, BIG_ENDIAN]) {
      text = text.replace(wide, (units) => {
        const narrow = units.replaceAll('\0', '');
        const hidden = hide(narrow);
        if (hidden === narrow) return units;
        return Array.from(hidden, (char) => (wide === LITTLE_ENDIAN ? `${char}\0` : `\0${char}`)).join('');
      });
    }
  }
  return text === original ? bytes : encodeLatin1(text);
}
