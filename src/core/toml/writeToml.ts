import { isRecord, type Json } from '../json/json';

/** A table with its header, such as `[[tools]]`. */
export function tomlTable(header: string, members: Readonly<Record<string, Json>>): string {
  return [header, ...Object.entries(members).map(([key, value]) => `${key} = ${written(value)}`)].join('\n');
}

/** Writes a TOML value. TOML has no null: null members are left out, and null items become empty strings. */
function written(value: Json): string {
  if (typeof value === 'string') return tomlText(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => written(item ?? '')).join(', ')}]`;
  if (isRecord(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== null);
    if (members.length === 0) return '{}';
    return `{ ${members.map(([key, member]) => `${name(key)} = ${written(member)}`).join(', ')} }`;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return '0';
  return value === null ? '""' : String(value);
}

function name(key: string): string {
  return /^[\w-]+$/.test(key) ? key : tomlText(key);
}

/** A string: a multi-line one for a text of several lines, unless it contains characters that would need escapes. */
export function tomlText(value: string): string {
  const token = JSON.stringify(value).replace(/[\x7f\p{Surrogate}]/gu, escaped);
  if (!value.includes('\n') || value.includes('"""') || /[\\"\r]|[^\P{Cc}\n\t]|\p{Surrogate}/u.test(value))
    return token;
  return `"""\n${value}"""`;
}

function escaped(char: string): string {
  return char === '\x7f' ? '\\u007f' : '\\ufffd';
}
