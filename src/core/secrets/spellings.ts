import { unicodeEscape } from '../json/jsonStringSplices';

/** JSON inside of strings of JSON, three times over: a tool's arguments in an answer in a tape. */
const NESTED = 3;

/** How the text of a JSON string may be written: as JavaScript does, all in ASCII, with `/` escaped, and as .NET does. */
const WRITERS: readonly ((text: string) => string)[] = [
  (text) => quoted(text),
  (text) => quoted(text).replace(/[^\0-\x7f]/g, unicodeEscape),
  (text) => quoted(text).replaceAll('/', '\\/'),
  (text) =>
    quoted(text)
      .replaceAll('\\"', '\\u0022')
      .replace(/[^\0-\x7f]|[&'+<>`]/g, (unit) => unicodeEscape(unit).toUpperCase().replace('\\U', '\\u')),
];

/** All ways in which a value is spelled in a file: as it is, in JSON, in JSON inside of strings, in addresses. */
export function spellings(value: string): readonly string[] {
  const forms = new Set([value, ...inAddress(value)]);
  for (const write of WRITERS) {
    let text = value;
    for (let level = 0; level < NESTED; level += 1) {
      text = write(text);
      forms.add(text);
    }
  }
  return [...forms];
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Half of a surrogate pair cannot be in an address. */
function inAddress(value: string): string[] {
  return /[\ud800-\udfff]/u.test(value) ? [] : [encodeURIComponent(value)];
}
