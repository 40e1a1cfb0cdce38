import { type AST, parseTOML } from 'toml-eslint-parser';
import type { Splice } from '../text/splice';
import type { TomlPath } from './readToml';

type Statement = AST.TOMLKeyValue | AST.TOMLTable;

/**
 * Sets a key of a table to a value, given as TOML: replaces its value, or inserts it after the last key of the table,
 * or appends a new table. `table` is a path of names. The text must be valid.
 */
export function setTomlKey(text: string, table: readonly string[], key: string, value: string): Splice {
  const statements = statementsOf(text);
  const entries = entriesOf(statements);
  const path = [...table, key];
  const written = entries.find((entry) => isAt(entry.path, path));
  if (written !== undefined) return { ...spanOf(written.node.value), text: value };
  const line = `${bareOrQuoted(key)} = ${value}`;
  const header = statements.find((node) => node.type === 'TOMLTable' && isAt(node.resolvedKey, table));
  if (header !== undefined) return insertBelow(text, endOf(header), line);
  if (table.length > 0) return appendTable(text, table, line);
  const root = statements.filter((node) => node.type === 'TOMLKeyValue').at(-1);
  return root === undefined ? { start: 0, end: 0, text: `${line}\n` } : insertBelow(text, endOf(root), line);
}

/**
 * Removes the value at `path`: its lines, and its tables with their headers. Returns no splices if it has no statements
 * of its own, as inside an inline table. The text must be valid.
 */
export function removeTomlKey(text: string, path: TomlPath): readonly Splice[] {
  const statements = statementsOf(text);
  const tables = statements.filter((node) => node.type === 'TOMLTable' && isBelow(node.resolvedKey, path));
  const keys = entriesOf(statements).filter((entry) => isBelow(entry.path, path));
  const gone = keys.filter(({ node }) => !tables.some((table) => contains(table, node)));
  const splices = [...tables, ...gone.map(({ node }) => node)].map((node) => wholeLines(text, node));
  return splices.sort((left, right) => left.start - right.start);
}

/** Inserts tables, given as TOML, after those at and below `path`; undefined if these have no header of their own. The text must be valid. */
export function insertTomlTables(text: string, path: TomlPath, tables: string): Splice | undefined {
  const last = statementsOf(text)
    .filter((node) => node.type === 'TOMLTable' && isBelow(node.resolvedKey, path))
    .at(-1);
  if (last === undefined) return undefined;
  const at = endOfLine(text, endOf(last));
  const eol = newline(text);
  const gap = /^\r?\n[^\r\n]/.test(text.slice(at, at + 3)) ? eol : '';
  return { start: at, end: at, text: `${eol}${eol}${tables.replaceAll('\n', eol)}${gap}` };
}

/** Writes a text as a TOML string. */
export function tomlString(value: string): string {
  // TOML has JSON's escapes, and requires one for DEL.
  return JSON.stringify(value).replaceAll('\u007F', '\\u007F');
}

function statementsOf(text: string): readonly Statement[] {
  return parseTOML(text.replace(/^\uFEFF/, ' ')).body[0].body;
}

interface Entry {
  readonly path: TomlPath;
  readonly node: AST.TOMLKeyValue;
}

/** The key-value lines with their full paths. */
function entriesOf(statements: readonly Statement[]): readonly Entry[] {
  return statements.flatMap((statement) => {
    if (statement.type === 'TOMLKeyValue') return [entryOf([], statement)];
    return statement.body.map((node) => entryOf(statement.resolvedKey, node));
  });
}

function entryOf(base: TomlPath, node: AST.TOMLKeyValue): Entry {
  return { path: [...base, ...node.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value))], node };
}

function isAt(path: TomlPath, other: TomlPath): boolean {
  return path.length === other.length && isBelow(path, other);
}

function isBelow(path: TomlPath, ancestor: TomlPath): boolean {
  return ancestor.every((part, index) => path[index] === part);
}

function contains(table: Statement, node: AST.TOMLKeyValue): boolean {
  return table.type === 'TOMLTable' && table.body.includes(node);
}

function spanOf({ range: [start, end] }: AST.TOMLNode) {
  return { start, end };
}

/** The offset after the last key of a table, or after its header if it has none. */
function endOf(node: Statement): number {
  const last = node.type === 'TOMLTable' ? node.body.at(-1) : node;
  return (last ?? node).range[1];
}

function insertBelow(text: string, end: number, line: string): Splice {
  const at = endOfLine(text, end);
  return { start: at, end: at, text: `${newline(text)}${line}` };
}

function appendTable(text: string, table: readonly string[], line: string): Splice {
  const eol = newline(text);
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  const header = `[${table.map(bareOrQuoted).join('.')}]`;
  return { start: text.length, end: text.length, text: `${gap}${header}${eol}${line}${eol}` };
}

/** The lines of a statement, including a comment at the end of the line and the blank lines after it. */
function wholeLines(text: string, node: Statement): Splice {
  const start = text.lastIndexOf('\n', node.range[0] - 1) + 1;
  const rest = /^[^\n]*(?:\n|$)(?:[ \t]*\r?\n)*/.exec(text.slice(endOf(node)));
  return { start, end: endOf(node) + (rest?.[0].length ?? 0), text: '' };
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  if (at === -1) return text.length;
  return text[at - 1] === '\r' ? at - 1 : at;
}

function newline(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function bareOrQuoted(key: string): string {
  return /^[\w-]+$/.test(key) ? key : tomlString(key);
}
