import { type JsonNode, LazyArrayNode, LazyObjectNode } from './jsonNode';

/** JSON text is formatted and coloured by tokens, so that numbers and escapes stay as recorded. */
type JsonTokenKind = 'key' | 'string' | 'number' | 'literal' | 'plain';

interface JsonToken {
  readonly kind: JsonTokenKind;
  readonly text: string;
}

const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Formats a JSON object or array with two spaces per level; undefined for any other text. */
export function formatJson(text: string): string | undefined {
  if (!isJsonStructure(text)) return undefined;
  const tokens = text.match(JSON_TOKEN) ?? [];
  let depth = 0;
  let formatted = '';
  tokens.forEach((token, index) => {
    const next = tokens[index + 1];
    const opens = token === '{' || token === '[';
    if (opens && next === closerOf(token)) formatted += token;
    else if (opens) formatted += token + newLine(++depth);
    else if (isCloser(token)) formatted += isEmptyPair(tokens[index - 1], token) ? token : newLine(--depth) + token;
    else if (token === ',') formatted += `,${newLine(depth)}`;
    else formatted += token === ':' ? ': ' : token;
  });
  return formatted;
}

/** Puts short JSON on one line. Only white space between tokens is removed, so that the number of matches stays. */
export function shortJson(text: string): string {
  if (text.length > 160 || !isJsonStructure(text)) return text;
  const line = text.replace(/\n\s*/g, ' ');
  return line.length <= 76 ? line : text;
}

/** The tokens of a JSON text, which may be truncated, including white space. */
export function tokenizeJson(text: string): readonly JsonToken[] {
  const tokens: JsonToken[] = [];
  let at = 0;
  for (const { 0: token, index } of text.matchAll(JSON_TOKEN)) {
    const kind = tokenKind(token, text, index + token.length);
    const between = text.slice(at, index);
    at = index + token.length;
    const last = tokens.at(-1);
    if (kind === 'plain' && last?.kind === 'plain')
      tokens[tokens.length - 1] = { kind, text: last.text + between + token };
    else tokens.push(...(between === '' ? [] : [{ kind: 'plain' as const, text: between }]), { kind, text: token });
  }
  return at < text.length ? [...tokens, { kind: 'plain', text: text.slice(at) }] : tokens;
}

/** Whether a text is a JSON object or array. A lone string or number is displayed as plain text. */
export function isJsonStructure(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function tokenKind(token: string, text: string, end: number): JsonTokenKind {
  if (token.startsWith('"')) return /^\s*:/.test(text.slice(end, end + 8)) ? 'key' : 'string';
  if (/^[-\d]/.test(token)) return 'number';
  return /^[a-z]/.test(token) ? 'literal' : 'plain';
}

const closerOf = (opener: string): string => (opener === '{' ? '}' : ']');
const isCloser = (token: string): boolean => token === '}' || token === ']';
const isEmptyPair = (before: string | undefined, closer: string): boolean =>
  (before === '{' || before === '[') && closerOf(before) === closer;
const newLine = (depth: number): string => `\n${'  '.repeat(depth)}`;

/**
 * JSON on one line without spaces, on one line with Python's `", "` and `": "`, or indented by two spaces per level.
 */
export type JsonLayout = 'compact' | 'spaced' | 'indented';

/** Formats a node. Strings and numbers stay exactly as they are in `text`. */
export function formatNode(text: string, node: JsonNode, layout: JsonLayout = 'compact'): string {
  if (layout === 'indented') return formatIndented(text, node, '\n');
  if (layout === 'compact' && isCompact(node)) return text.slice(node.start, node.end);
  const [comma, colon] = layout === 'spaced' ? [', ', ': '] : [',', ':'];
  return formatOnOneLine(text, node, comma, colon);
}

function isCompact(node: JsonNode): boolean {
  return (node instanceof LazyObjectNode || node instanceof LazyArrayNode) && node.isCompact;
}

function formatOnOneLine(text: string, node: JsonNode, comma: string, colon: string): string {
  if (node.type === 'array')
    return `[${node.items.map((item) => formatOnOneLine(text, item, comma, colon)).join(comma)}]`;
  if (node.type !== 'object') return text.slice(node.start, node.end);
  const members = node.members.map(
    ({ keySpan, value }) => text.slice(keySpan.start, keySpan.end) + colon + formatOnOneLine(text, value, comma, colon),
  );
  return `{${members.join(comma)}}`;
}

/** `line` is a line break with the node's indentation. */
function formatIndented(text: string, node: JsonNode, line: string): string {
  const inner = `${line}  `;
  if (node.type === 'array') {
    const items = node.items.map((item) => inner + formatIndented(text, item, inner));
    return items.length === 0 ? '[]' : `[${items.join(',')}${line}]`;
  }
  if (node.type !== 'object') return text.slice(node.start, node.end);
  const members = node.members.map(
    ({ keySpan, value }) => `${inner + text.slice(keySpan.start, keySpan.end)}: ${formatIndented(text, value, inner)}`,
  );
  return members.length === 0 ? '{}' : `{${members.join(',')}${line}}`;
}
