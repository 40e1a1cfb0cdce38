import type { JsonNode, JsonObjectNode } from '../json/jsonNode';
import { hasTopLevelKeys, looksLikeJson, topLevelKeys } from '../json/jsonOutline';
import { readJson } from '../json/readJson';
import { memoiseLast } from '../text/memo';
import type { Problem } from '../text/source';
import { type TextParts, wholeText } from '../text/textParts';
import { readToml, tomlToNode } from '../toml/readToml';
import { readYaml } from '../yaml/readYaml';

/** The syntaxes of formats whose authors may choose between JSON, YAML and TOML. All are read into one kind of tree. */
export type Syntax = 'json' | 'yaml' | 'toml';

export interface TextDocument {
  readonly syntax: Syntax;
  /** One per document of a YAML file; none if nothing could be read. */
  readonly roots: readonly JsonNode[];
  readonly problems: readonly Problem[];
}

export function readTextDocument(text: TextParts): TextDocument {
  const syntax = syntaxOf(text);
  if (syntax === 'yaml') {
    const { value = [], problems } = readYaml(wholeText(text));
    return { syntax, roots: value, problems };
  }
  if (syntax === 'json') {
    const { value, problems } = readJson(text);
    return { syntax, roots: value === undefined ? [] : [value], problems };
  }
  const { value, problems } = readToml(wholeText(text));
  return { syntax, roots: value === undefined ? [] : [tomlToNode(value)], problems };
}

/** The syntax of a text, judged by its first line that is not blank or a comment. */
export function syntaxOf(text: TextParts): Syntax {
  const line = /^[ \t]*([^\s#\uFEFF].*)$/m.exec(text.slice(0, 65_536))?.[1] ?? '';
  if (/^\[\[?[\w."' -]+\]\]?\s*(?:#.*)?$/.test(line) && !/^\[[\s\d.,-]*\]/.test(line)) return 'toml';
  if (/^[[{]/.test(line)) return 'json';
  return /^(?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"))*\s*=/.test(line) ? 'toml' : 'yaml';
}

/** The syntax that the name of a file ends in, before `.gz`; undefined for any other name. */
export function syntaxNamed(path: string): Syntax | undefined {
  const [, extension = ''] = /\.(\w+)(?:\.gz)?$/.exec(path.toLowerCase()) ?? [];
  return EXTENSIONS.get(extension);
}

const EXTENSIONS: ReadonlyMap<string, Syntax> = new Map([
  ['json', 'json'],
  ['yaml', 'yaml'],
  ['yml', 'yaml'],
  ['toml', 'toml'],
]);

/** Whether a text has all these members at its top level. Scans without parsing, so that broken texts work too. */
export function hasMembers(text: TextParts, ...keys: readonly string[]): boolean {
  if (looksLikeJson(text)) return hasTopLevelKeys(text, ...keys);
  const names = topLevelNames(wholeText(text));
  return keys.every((key) => names.has(key));
}

/** The names of the members at the top level of a text, found without parsing. */
export function memberNames(text: TextParts): readonly string[] {
  return [...(looksLikeJson(text) ? topLevelKeys(text) : topLevelNames(wholeText(text)))];
}

const NAME = /["']?([\w-]+)["']?[ \t]*[:=]|\[\[?[ \t]*([\w-]+)[ \t]*[\].]/y;

/** The names at the starts of lines, in YAML and TOML. */
const topLevelNames = memoiseLast((text): ReadonlySet<string> => {
  const names = new Set<string>();
  let at = 0;
  do {
    NAME.lastIndex = at;
    const match = text.charCodeAt(at) === SPACE ? null : NAME.exec(text);
    const name = match?.[1] ?? match?.[2];
    if (name !== undefined) names.add(name);
    at = text.indexOf('\n', at) + 1;
  } while (at > 0);
  return names;
});

const SPACE = 0x20;

/** The top-level object, of the first document if there are several. */
export function rootObject({ roots }: TextDocument): JsonObjectNode | undefined {
  const [root] = roots;
  return root?.type === 'object' ? root : undefined;
}
