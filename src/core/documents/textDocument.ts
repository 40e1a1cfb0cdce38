import type { JsonNode, JsonObjectNode } from '../json/jsonNode';
import { hasTopLevelKeys, looksLikeJson } from '../json/jsonOutline';
import { readJson } from '../json/readJson';
import { memoiseLast } from '../text/memo';
import type { Problem } from '../text/source';
import { readToml, tomlToNode } from '../toml/readToml';
import { readYaml } from '../yaml/readYaml';

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
  return { syntax, roots: value === undefined ? [] : [tomlToNode(value)], problems };
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
  if (looksLikeJson(text)) return hasTopLevelKeys(text, ...keys);
  const names = topLevelNames(text);
  return keys.every((key) => names.has(key));
}

const NAME = /["']?([\w-]+)["']?[ \t]*[:=]|\[\[?[ \t]*([\w-]+)[ \t]*[\].]/y;

/** The names at the start of a line, in YAML and in TOML. */
const topLevelNames = memoiseLast((text): ReadonlySet<string> => {
  const names = new Set<string>();
  let at = 0;
  do {
    NAME.lastIndex = at;
    const found = text.charCodeAt(at) === SPACE ? null : NAME.exec(text);
    const name = found?.[1] ?? found?.[2];
    if (name !== undefined) names.add(name);
    at = text.indexOf('\n', at) + 1;
  } while (at > 0);
  return names;
});

const SPACE = 0x20;

/** The object at the top; of several documents, the first. */
export function rootObject({ roots }: TextDocument): JsonObjectNode | undefined {
  const [root] = roots;
  return root?.type === 'object' ? root : undefined;
}
