/**
 * What cannot be seen, or turns the writing direction: control characters but for the line feed and the tab, marks and
 * overrides of direction, spaces of no width (not the joiners, which emoji and some scripts are written with), and the
 * tag characters that can hide a whole text.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB]|\uDB40[\uDC00-\uDC7F]/g;

/** Recorded text for people: what cannot be seen, or would steer a terminal or turn the writing direction, is shown instead. */
export function escapeInvisible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(INVISIBLE, codePointEscape);
}

function codePointEscape(characters: string): string {
  const code = characters.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Every line that is not empty, moved to the right. */
export function indentLines(text: string, indent: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? line : indent + line))
    .join('\n');
}

/** Plain data with all its texts made visible; pictures and sounds stay what they are. What does not change stays the same object. */
export function escapeInvisibleDeep<T>(value: T): T {
  return escapeValue(value) as T;
}

function escapeValue(value: unknown): unknown {
  if (typeof value === 'string') return value.search(INVISIBLE) === -1 ? value : escapeInvisible(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(escapeValue);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const members = Object.entries(value).map(([key, member]) => [
    key,
    key === 'media' ? member : escapeValue(member),
    member,
  ]);
  return members.some(([, now, before]) => now !== before)
    ? Object.fromEntries(members.map(([key, now]) => [key, now]))
    : value;
}
