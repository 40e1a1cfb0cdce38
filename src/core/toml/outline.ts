import { namesOf } from '../schema/schema';
import type { Span } from '../text/source';
import type { TomlPath } from './readToml';
import { scanToml, type TomlEntry, type TomlHeader } from './scanToml';

/** A table or a key in the outline of a TOML file. */
export interface OutlineItem {
  readonly name: string;
  /** The value of a key on one line, or the name of an item of a list. */
  readonly detail: string;
  readonly kind: 'table' | 'key';
  /** The whole of it: of a table, up to the next one. */
  readonly span: Span;
  readonly nameSpan: Span;
  readonly children: readonly OutlineItem[];
}

/** The outline of a TOML file: the keys before the first table, then the tables with their keys. */
export function outlineOf(text: string): readonly OutlineItem[] {
  const { headers, entries } = scanToml(text);
  const firstTable = headers[0]?.span.start ?? text.length;
  const root = entries.filter(({ path, valueSpan }) => path.length === 1 && valueSpan.end <= firstTable);
  return [
    ...root.flatMap((entry) => keyItem(text, entry)),
    ...headers.map((header, index): OutlineItem => {
      const span = sectionSpan(text, header, headers[index + 1]);
      const own = entries.filter(({ path, valueSpan }) => isWithin(valueSpan, span) && isChild(path, header.path));
      const named = own.find(({ path, text: value }) => path.at(-1) === 'name' && value !== undefined);
      return {
        name: namesOf(header.path).join('.'),
        detail: header.isList ? (named?.text ?? '') : '',
        kind: 'table',
        span,
        nameSpan: header.nameSpan,
        children: own.flatMap((entry) => keyItem(text, entry)),
      };
    }),
  ];
}

/** What can be folded: tables, and values of several lines. */
export function foldingRanges(text: string): readonly Span[] {
  const { headers, entries } = scanToml(text);
  const tables = headers.map((header, index) => sectionSpan(text, header, headers[index + 1]));
  const values = entries.map(({ keySpan, valueSpan }) => ({ ...valueSpan, start: (keySpan ?? valueSpan).start }));
  return [...tables, ...values].filter(({ start, end }) => text.slice(start, end).includes('\n'));
}

/** A table up to the next one, without the blank lines and comments that stand before that. */
function sectionSpan(text: string, { span }: TomlHeader, next: TomlHeader | undefined): Span {
  const section = text.slice(span.start, next?.span.start ?? text.length);
  const used = section.replace(/(?:\n[ \t]*(?:#[^\n]*)?\r?)*$/, '');
  return { start: span.start, end: span.start + Math.max(used.length, span.end - span.start) };
}

function keyItem(text: string, { path, keySpan, valueSpan }: TomlEntry): readonly OutlineItem[] {
  if (keySpan === undefined) return [];
  const value = text.slice(valueSpan.start, valueSpan.end);
  const detail = value.includes('\n') || value.length > MAX_DETAIL ? '' : value;
  const span = { start: keySpan.start, end: Math.max(keySpan.end, valueSpan.end) };
  return [{ name: String(path.at(-1)), detail, kind: 'key', span, nameSpan: keySpan, children: [] }];
}

const MAX_DETAIL = 60;

function isWithin(span: Span, { start, end }: Span): boolean {
  return span.start >= start && span.end <= end;
}

function isChild(path: TomlPath, table: TomlPath): boolean {
  return path.length === table.length + 1 && table.every((part, index) => path[index] === part);
}
