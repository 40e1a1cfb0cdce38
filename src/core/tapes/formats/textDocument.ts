import { type JsonNode, type JsonObjectNode, readJson } from '../../json/jsonDocument';
import { hasTopLevelKeys } from '../../json/topLevelKeys';
import type { Problem } from '../../text/source';
import { readToml } from '../../toml/tomlDocument';
import { tomlNode } from '../../toml/tomlNode';
import { readYaml } from '../../yaml/yamlDocument';

/** For formats that are written in JSON, YAML or TOML, as their authors like: one tree for all three. */
export type Syntax = 'json' | 'yaml' | 'toml';

export interface TextDocument {
  readonly syntax: Syntax;
  /** One for each document of a YAML file; none where nothing could be read. */
  readonly roots: readonly JsonNode[];
  readonly problems: readonly Problem[];
}

export function readTextDocument(text: string): TextDocument {
  const syntax = syntaxOf(text);
  if (syntax === 'yaml') {
    const { value = [], problems } = readYaml(text);
    return { syntax, roots: value, problems };
  }
  if (syntax === 'json') {
    const { value, problems } = readJson(text);
    return { syntax, roots: value === undefined ? [] : [value], problems };
  }
  const { value, problems } = readToml(text);
  return { syntax, roots: value === undefined ? [] : [tomlNode(value)], problems };
}

/** By the first line that says something. */
export function syntaxOf(text: string): Syntax {
  const line = /^[ \t]*([^\s#\uFEFF].*)$/m.exec(text.slice(0, 65_536))?.[1] ?? '';
  if (/^\[\[?[\w."' -]+\]\]?\s*(?:#.*)?$/.test(line) && !/^\[[\s\d.,-]*\]/.test(line)) return 'toml';
  if (/^[[{]/.test(line)) return 'json';
  return /^(?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"))*\s*=/.test(line) ? 'toml' : 'yaml';
}

/** Does the text have all these members at its top level? A scan, not a parse: a broken text may have them too. */
export function hasMembers(text: string, ...keys: readonly string[]): boolean {
  if (/^\uFEFF?\s*\{/.test(text)) return hasTopLevelKeys(text, ...keys);
  return keys.every((key) => LINE_STARTS.some((start) => hasLine(text, start, key)));
}

/** What may stand before a name at the start of a line, in YAML and in TOML. */
const LINE_STARTS = ['', '"', "'", '['];

/** Far faster than a regular expression over all lines: most texts have no line that begins like this. */
function hasLine(text: string, start: string, key: string): boolean {
  const wanted = start === '[' ? start : start + key;
  const name = new RegExp(`["']?${key}["']?[ \\t]*[:=]|\\[\\[?[ \\t]*${key}[ \\t]*[\\].]`, 'y');
  let at = text.startsWith(wanted) ? 0 : text.indexOf(`\n${wanted}`) + 1;
  if (at === 0 && !text.startsWith(wanted)) return false;
  do {
    name.lastIndex = at;
    if (name.test(text)) return true;
    at = text.indexOf(`\n${wanted}`, at) + 1;
  } while (at > 0);
  return false;
}

/** The object at the top; of several documents, the first. */
export function rootObject({ roots }: TextDocument): JsonObjectNode | undefined {
  const [root] = roots;
  return root?.type === 'object' ? root : undefined;
}
