import { nonBlankLines } from '../json/jsonLines';
import type { JsonNode } from '../json/jsonNode';
import { readJson } from '../json/readJson';
import type { Problem } from '../text/source';
import { readYaml } from '../yaml/readYaml';
import { formats } from './registry';
import type { TapeFile } from './tapeFile';

/** A value of a file. `offset` is added to its positions. */
export interface DocumentRoot {
  readonly node: JsonNode;
  readonly offset: number;
}

/** The values of a file as trees, whatever its format: one JSON text, a JSON text a line, or YAML. */
export interface Documents {
  readonly syntax: 'json' | 'json-lines' | 'yaml' | 'other';
  readonly roots: readonly DocumentRoot[];
  readonly problems: readonly Problem[];
}

const YAML_NAME = /\.ya?ml(?:\.gz)?$/i;
/** The first key of YAML as recorders write it, after directives, comments and blank lines. */
const YAML_HEAD = /^(?:(?:%YAML|---|#)[^\n]*\n|[^\S\n]*\n)*(?:- )?[\w-]+:(?:\s|$)/;

export function readDocuments(file: TapeFile): Documents {
  const { text, path } = file;
  if (isRecordFile(file)) return { syntax: 'other', roots: [], problems: [] };
  if (YAML_NAME.test(path)) return yamlDocuments(text);
  const head = text.slice(0, 4096);
  if (/^\s*[{[]/.test(head)) return jsonDocuments(text);
  return YAML_HEAD.test(head) ? yamlDocuments(text) : { syntax: 'other', roots: [], problems: [] };
}

/** Records of bytes may pass as YAML, line by line. */
function isRecordFile(file: TapeFile): boolean {
  return formats.some(({ syntax, looksLike }) => syntax === 'records' && looksLike(file));
}

function jsonDocuments(text: string): Documents {
  if (startsWithWholeLine(text)) return lineDocuments(text);
  const { value: node, problems } = readJson(text);
  return { syntax: 'json', roots: node === undefined ? [] : [{ node, offset: 0 }], problems };
}

/** Whether the first line is a complete JSON text and more text follows. */
function startsWithWholeLine(text: string): boolean {
  const [first, second] = nonBlankLines(text, 0, 2);
  return (
    second !== undefined && first !== undefined && readJson(text.slice(first.start, first.end)).problems.length === 0
  );
}

function lineDocuments(text: string): Documents {
  const roots: DocumentRoot[] = [];
  for (const { start, end } of nonBlankLines(text)) {
    const { value: node } = readJson(text.slice(start, end));
    if (node !== undefined) roots.push({ node, offset: start });
  }
  return { syntax: 'json-lines', roots, problems: [] };
}

function yamlDocuments(text: string): Documents {
  const { value: nodes = [], problems } = readYaml(text);
  return { syntax: 'yaml', roots: nodes.map((node) => ({ node, offset: 0 })), problems };
}
