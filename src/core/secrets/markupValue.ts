import { composePattern } from '../text/pattern';
import type { Span } from '../text/source';

/** Of a tag, before and after a name in it. */
const LONGEST_TAG = 400;
/** White space, also as an escape in a string. */
const SPACE = /(?:\s|\\{1,7}[nrt]){1,60}/.source;

/** A tag up to the beginning of one of its attributes. */
const ATTRIBUTE_AFTER = /<[A-Za-z][^<>]{0,400}[\s"'](?:[\w-]{1,20}:)?$/;
/** A tag up to the value of the attribute that names what it holds. */
const NAMING_BEFORE =
  /<[A-Za-z][^<>]{0,400}?\s(?:name|key|id|property|itemprop|type)\s{0,4}=\s{0,4}\\{0,8}["']?(?:[\w-]{1,20}:)?$/;
/** The value that stands before the name in such a tag. */
const VALUE_BEFORE = /\s(?:value|content)\s{0,4}=\s{0,4}(\\{0,8}["'])([^"'<>]{1,4000}?)\1[^<>]{0,200}$/;

const ASSIGNED = /\s{0,4}=\s{0,4}(\\{0,8}["'])(?<value>[^"'<>\r\n]{1,4000}?)\1/dy;
const VALUE_AFTER =
  /\\{0,8}["']?(?:[^<>]{0,400}?\s)?(?:value|content)\s{0,4}=\s{0,4}(?:(\\{0,8}["'])(?<quoted>[^"'<>\r\n]{1,4000}?)\1|(?<bare>[^\s"'<>\\]{1,400}))/dy;
const CONTENT = composePattern(
  `(?:\\\\{0,8}[\\s"'](?:[^<>]{0,400}[^<>/])?)?>(?:${SPACE})?(?:<!\\[CDATA\\[)?(?<value>[^<>]{1,4000}?)(?:${SPACE})?(?:\\]\\]>)?<\\\\{0,7}/`,
  'dy',
);
/** The string after a key in a property list. */
const NEXT_STRING = composePattern(`<\\\\{0,7}/key>(?:${SPACE})?<string>(?<value>[^<>]{1,4000}?)<\\\\{0,7}/`, 'dy');

/**
 * Where XML or HTML gives a name its value: in an element or an attribute of that name, in a field, and in what has the name as its key.
 */
export function markupValueAt(text: string, { start, end }: Span): Span | undefined {
  const before = text.charAt(start - 1);
  if (before === '<' || (before === ':' && OPENING.test(text.slice(Math.max(0, start - 24), start))))
    return valueAfter(CONTENT, text, end);
  if (before === '>' && text.startsWith('<key>', start - 5)) return valueAfter(NEXT_STRING, text, end);
  if (!/[\s"'=:]/.test(before)) return undefined;
  const tag = text.slice(Math.max(0, start - LONGEST_TAG), start);
  const opening = tag.lastIndexOf('<');
  if (opening === -1 || tag.includes('>', opening)) return undefined;
  if (NAMING_BEFORE.test(tag)) return fieldValue(text, start, end, tag.slice(opening));
  return ATTRIBUTE_AFTER.test(tag) ? valueAfter(ASSIGNED, text, end) : undefined;
}

const OPENING = /<[\w-]{1,20}:$/;

/** The value of a field or key, which stands in its tag, before or after the name, or is its content. */
function fieldValue(text: string, start: number, end: number, tag: string): Span | undefined {
  const value = valueAfter(VALUE_AFTER, text, end);
  if (value !== undefined) return value;
  const earlier = VALUE_BEFORE.exec(tag);
  if (earlier !== null) {
    const [whole, quote = '', written = ''] = earlier;
    const at = start - tag.length + earlier.index + whole.indexOf(quote) + quote.length;
    return { start: at, end: at + written.length };
  }
  const content = /\s(?:name|key)\s{0,4}=\s{0,4}\S{0,30}$/.test(tag) ? valueAfter(CONTENT, text, end) : undefined;
  // A label or a button has the words of a language.
  return content !== undefined && /\d/.test(text.slice(content.start, content.end)) ? content : undefined;
}

/** Where the value of a sticky pattern stands that matches at an offset. */
function valueAfter(pattern: RegExp, text: string, at: number): Span | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  const found = match?.indices?.groups;
  const [start, end] = found?.value ?? found?.quoted ?? found?.bare ?? [0, 0];
  return start === end ? undefined : { start, end };
}
