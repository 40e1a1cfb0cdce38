/**
 * Characters that are invisible or change the writing direction: control characters except line feed and tab, direction
 * marks and overrides, zero-width spaces (not the joiners, which emoji and some scripts need), and tag characters,
 * which can hide a whole text.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the pattern looks for
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB]|\uDB40[\uDC00-\uDC7F]/g;

/** Escapes the characters of recorded text that are invisible, control a terminal or change the writing direction. */
export function escapeInvisible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(INVISIBLE, codePointEscape);
}

/** The same, and line breaks and tabs: for what has one line, such as the name of a file. A line of its own may be a command to a CI service. */
export function escapeLine(text: string): string {
  return text.replace(INVISIBLE, codePointEscape).replace(/[\n\t\u2028\u2029]/g, codePointEscape);
}

/** Escapes the beginnings of lines that are commands to a CI service in whose log a text is printed: `::error::` and `##[error]`. */
export function escapeCommands(text: string): string {
  return text.replace(
    /^([^\S\n]*)(:(?=:)|#(?=#\w*\[))/gm,
    (_, indent: string, mark: string) => indent + codePointEscape(mark),
  );
}

/** Control characters other than line breaks and tabs, and what changes the writing direction. */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the pattern looks for
  /\r(?!\n)|[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/**
 * Escapes the characters that control a terminal, as JSON does, and nothing else: JSON remains the same value, and an
 * ordinary text the same bytes.
 */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, codePointEscape);
}

function codePointEscape(characters: string): string {
  const code = characters.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Indents every line that is not empty. */
export function indentLines(text: string, indent: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? line : indent + line))
    .join('\n');
}

/** Applies `escapeInvisible` to all texts in plain data except `media`. Unchanged values stay the same objects. */
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
  return members.some(([, escaped, before]) => escaped !== before)
    ? Object.fromEntries(members.map(([key, escaped]) => [key, escaped]))
    : value;
}
