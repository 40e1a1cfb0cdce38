import type { Span } from '../../text/source';
import type { TomlPath } from '../../toml/readToml';
import type { TomlScan } from '../../toml/scanToml';
import type { Offer } from '../../toml/schemaLanguage';

/** A tool that a case declares under [[tools]], found while the case is being edited. */
interface DeclaredTool {
  readonly name: string;
  readonly description: string;
  /** The value of its name. */
  readonly span: Span;
  readonly path: TomlPath;
}

export function declaredTools(scan: TomlScan): readonly DeclaredTool[] {
  return scan.entries.flatMap(({ path, text, valueSpan }) => {
    const [tools, index, key] = path;
    if (tools !== 'tools' || key !== 'name' || path.length !== 3 || text === undefined || text === '') return [];
    const tool = ['tools', index ?? 0];
    return [{ name: text, description: textAt(scan, [...tool, 'description']) ?? '', span: valueSpan, path: tool }];
  });
}

export function toolOffers(scan: TomlScan): readonly Offer[] {
  return declaredTools(scan).map(({ name, description }) => ({ text: name, about: description }));
}

/** The arguments of a scripted or an expected call, or of a result of a tool, by the schema of the tool. */
export function argumentOffers(path: TomlPath, scan: TomlScan): readonly Offer[] {
  const schema = argumentSchema(path, scan);
  if (schema === undefined) return [];
  const properties = [...schema, 'properties'];
  return membersAt(scan, properties).map((text) => {
    const type = textAt(scan, [...properties, text, 'type']);
    const choices = textsAt(scan, [...properties, text, 'enum']);
    return {
      text,
      about: textAt(scan, [...properties, text, 'description']) ?? '',
      detail: type,
      value: choices.length > 0 ? '"$1"' : (PLACEHOLDERS[type ?? ''] ?? '$1'),
    };
  });
}

/** The values that the schema of a tool allows for an argument. */
export function argumentValueOffers(path: TomlPath, scan: TomlScan): readonly Offer[] {
  const schema = argumentSchema(path, scan);
  return schema === undefined ? [] : textsAt(scan, [...schema, 'enum']).map((text) => ({ text }));
}

/** Numbers and the like have no brackets of their own. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  string: '"$1"',
  array: '[$1]',
  object: '{ $1 }',
};

/** The path of the schema of the arguments at `path`, or of one of them; undefined elsewhere. */
function argumentSchema(path: TomlPath, scan: TomlScan): TomlPath | undefined {
  const called = calledAt(path, scan);
  const within = called?.within.flatMap((name) => (typeof name === 'number' ? ['items'] : ['properties', name]));
  return called && [...called.tool, 'schema', ...(within ?? [])];
}

/** The tool whose arguments are at `path`, and the path within these. */
function calledAt(path: TomlPath, scan: TomlScan): { tool: TomlPath; within: TomlPath } | undefined {
  const [root, list, index, key, ...rest] = path;
  const isCall = (root === 'llm' && list === 'steps') || (root === 'assert' && list === 'tool_args');
  if (isCall && index !== undefined && key === 'arguments') {
    const called = textAt(scan, [root, list, index, 'tool']);
    const tool = declaredTools(scan).find(({ name }) => name === called);
    return tool && { tool: tool.path, within: rest };
  }
  const [field, ...within] = rest;
  const isResult = root === 'tools' && list !== undefined && index === 'results' && field === 'arguments';
  return isResult ? { tool: ['tools', list], within } : undefined;
}

function textAt({ entries }: TomlScan, path: TomlPath): string | undefined {
  return entries.find((entry) => entry.text !== undefined && isAt(entry.path, path))?.text;
}

function textsAt({ entries }: TomlScan, path: TomlPath): readonly string[] {
  return entries.flatMap(({ path: at, text }) =>
    text !== undefined && at.length === path.length + 1 && isBelow(at, path) ? [text] : [],
  );
}

function membersAt({ entries, headers }: TomlScan, path: TomlPath): readonly string[] {
  const names = [...entries, ...headers].flatMap((one) => {
    const name = one.path[path.length];
    return isBelow(one.path, path) && typeof name === 'string' ? [name] : [];
  });
  return [...new Set(names)];
}

function isAt(path: TomlPath, other: TomlPath): boolean {
  return path.length === other.length && isBelow(path, other);
}

function isBelow(path: TomlPath, ancestor: TomlPath): boolean {
  return ancestor.every((part, index) => path[index] === part);
}
