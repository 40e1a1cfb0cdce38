import { isRecord, type Json } from '../json/json';

/** A table with its header, such as `[[tools]]`. */
export function tomlTable(header: string, members: Readonly<Record<string, Json>>, text = tomlText): string {
  return [header, ...tomlLines(members, text)].join('\n');
}

/** A document of these members, without those that are null. */
export function tomlDocument(members: Readonly<Record<string, Json>>): string {
  const known = Object.entries(members).filter(([, value]) => value !== null);
  return `${tomlLines(Object.fromEntries(known), tomlText).join('\n')}\n`;
}

function tomlLines(members: Readonly<Record<string, Json>>, text: (value: string) => string): string[] {
  return Object.entries(members).map(([key, value]) => `${key} = ${written(value, text)}`);
}

/** What is read again when a value has been written as TOML. */
export function asTomlHasIt(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => asTomlHasIt(item ?? ''));
  if (!isRecord(value)) return value ?? '';
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([key, member]) => [key, asTomlHasIt(member)]));
}

/** Writes a TOML value. TOML has no null: null members are left out, and null items become empty strings. */
function written(value: Json, text: (value: string) => string): string {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => written(item ?? '', text)).join(', ')}]`;
  if (isRecord(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== null);
    if (members.length === 0) return '{}';
    return `{ ${members.map(([key, member]) => `${name(key)} = ${written(member, text)}`).join(', ')} }`;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return '0';
  return value === null ? '""' : String(value);
}

function name(key: string): string {
  return /^[\w-]+$/.test(key) ? key : tomlText(key);
}

/** A string: a multi-line one for a text of several lines, unless it contains characters that would need escapes. */
export function tomlText(value: string): string {
  const token = tomlLine(value);
  if (!value.includes('\n') || value.includes('"""') || /[\\"\r]|[^\P{Cc}\n\t]|\p{Surrogate}/u.test(value))
    return token;
  return `"""\n${value}"""`;
}

/** A string on one line, which stays the same where line ends are converted. */
export function tomlLine(value: string): string {
  return JSON.stringify(value).replace(/[\x7f\p{Surrogate}]/gu, escaped);
}

function escaped(char: string): string {
  return char === '\x7f' ? '\\u007f' : '\\ufffd';
}
