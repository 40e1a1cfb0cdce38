import { parseAllDocuments } from 'yaml';

/** Files are repeated until they have so many characters. */
export const LEAST = 100_000;

const JSON_LIMIT = { name: 'JSON', bar: 2, parse: ({ text }) => JSON.parse(text), grow: growJson };
const LINES_LIMIT = { name: 'JSONL', bar: 2, parse: ({ text }) => lineValues(text), grow: growLines };
const YAML_LIMIT = { name: 'yaml', bar: 1, parse: ({ text }) => yamlValues(text) };
/** Formats that are neither have no limit but their own text. */
const TEXT_LIMIT = {
  name: 'decode',
  bar: undefined,
  parse: ({ bytes }) => new TextDecoder('latin1').decode(bytes),
};

/** What nobody reads a file of that kind faster than. A line alone is JSON too: with more of them, is it still in order? */
export function limitOf({ text, path }, isInOrder) {
  if (succeeds(() => JSON.parse(text))) return isInOrder(growLines(text, 2 * text.length)) ? LINES_LIMIT : JSON_LIMIT;
  if (succeeds(() => lineValues(text))) return LINES_LIMIT;
  return /\.ya?ml(\.gz)?$/.test(path) ? YAML_LIMIT : TEXT_LIMIT;
}

function lineValues(text) {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]));
}

/** As `parse` of the package does it, which refuses more than one document. */
function yamlValues(text) {
  return parseAllDocuments(text, { logLevel: 'silent' }).map((document) => document.toJS());
}

function succeeds(action) {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

/** With the items of its outermost lists repeated. */
function growJson(text) {
  const value = JSON.parse(text);
  const indent = /^[{[]\r?\n(\s+)/.exec(text)?.[1];
  return JSON.stringify(grown(value, Math.ceil(LEAST / text.length)), null, indent);
}

function grown(value, times) {
  if (Array.isArray(value)) return Array.from({ length: times }, () => value).flat();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, grown(item, times)]));
}

function growLines(text, least = LEAST) {
  const lines = text.endsWith('\n') ? text : `${text}\n`;
  return lines.repeat(Math.ceil(least / lines.length));
}
