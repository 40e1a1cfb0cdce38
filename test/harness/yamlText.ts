/** A value in block style, whose texts are quoted as in JSON. */
export function yamlText(value: unknown): string {
  return `${block(value, 0).trimStart()}\n`;
}

function block(value: unknown, depth: number): string {
  const indent = '  '.repeat(depth);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value))
    return value.length === 0
      ? '[]'
      : value.map((item) => `\n${indent}- ${block(item, depth + 1).trimStart()}`).join('');
  const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return members.length === 0
    ? '{}'
    : members.map(([key, inner]) => `\n${indent}${key}: ${block(inner, depth + 1)}`).join('');
}
