import { jsonOutline } from './jsonOutline';

const BACKSLASH = 0x5c;

/** Does a JSON text look like an object that has all these members? Of a broken text, a scan tells. */
export function hasTopLevelKeys(text: string, ...wanted: readonly string[]): boolean {
  const outline = jsonOutline(text);
  if (wanted.every((key) => outline.has(key))) return true;
  if (outline.isWhole) return false;
  if (!wanted.every((key) => text.includes(`"${key}"`))) return false;
  const missing = new Set(wanted);
  for (const key of topLevelKeys(text)) {
    missing.delete(key);
    if (missing.size === 0) return true;
  }
  return false;
}

/** The names of the members of a JSON object as they are written, without parsing what is in them. */
export function* topLevelKeys(text: string): Generator<string> {
  let at = text.search(/[^\s\uFEFF]/);
  if (text[at] !== '{') return;
  let depth = 0;
  let isKey = false;
  for (; at < text.length; at += 1) {
    const char = text[at];
    if (char === '{' || char === '[') {
      depth += 1;
      isKey = depth === 1;
    } else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return;
    } else if (char === ',') isKey = depth === 1;
    else if (char === '"') {
      const end = endOfString(text, at + 1);
      if (isKey) yield text.slice(at + 1, end);
      isKey = false;
      at = end;
    }
  }
}

/** The place of the quote that closes a string; the end of the text where none does. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}
