import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseAllDocuments,
  type Scalar,
  type YAMLError,
} from 'yaml';
import type { JsonMember, JsonNode } from '../json/jsonDocument';
import type { Problem, Reading, Span } from '../text/source';
import { resolvePlain } from './plainScalar';

/** Aliases may refer to aliases: what they expand to is bounded, or nine lines of YAML fill the memory. */
const MAX_NODES = 2_000_000;
const MAX_DEPTH = 500;

/**
 * Reads every document of a YAML text into the same tree as `readJson`, so that a format reads both alike. Strings that
 * are tagged `!!binary` or `!binary` are marked, not decoded; every other tag is read past, and none runs anything.
 * Plain scalars get the types PyYAML gives them (YAML 1.1), except that dates stay the text they are.
 */
export function readYaml(text: string): Reading<readonly JsonNode[]> {
  const documents = parseAllDocuments(text, {
    schema: 'failsafe',
    version: '1.1',
    logLevel: 'silent',
    uniqueKeys: false,
  });
  if (!Array.isArray(documents)) return { value: [], problems: [] };
  const problems = documents.flatMap(({ errors }) => errors.map((error) => toProblem(error, text.length)));
  const builder = new TreeBuilder();
  const value = documents.map((document: Document) => builder.document(document));
  return { value, problems: [...problems, ...builder.problems] };
}

/** The parser points past the end of a text that is cut off. */
function toProblem({ message, pos: [start, end] }: YAMLError, length: number): Problem {
  const [headline = message] = message.split(' at line ');
  return {
    severity: 'error',
    message: `invalid YAML: ${headline}`,
    fix: 'Repair the file in the text editor, or restore it from version control.',
    span: { start: Math.min(start, length), end: Math.min(Math.max(start, end), length) },
  };
}

class TreeBuilder {
  readonly problems: Problem[] = [];
  #document: Document | undefined;
  #nodes = 0;

  document(document: Document): JsonNode {
    this.#document = document;
    const [start = 0, end = start] = document.range ?? [];
    return this.#node(document.contents, { start, end: start === end ? end : start }, 0);
  }

  /** `fallback` is where an absent value would stand. */
  #node(node: unknown, fallback: Span, depth: number): JsonNode {
    this.#nodes += 1;
    const span = spanOf(node) ?? fallback;
    if (this.#nodes > MAX_NODES || depth > MAX_DEPTH) return this.#tooMuch(span);
    if (isAlias(node)) return this.#alias(node, span, depth);
    if (isMap(node))
      return { type: 'object', members: node.items.map((pair) => this.#member(pair, span, depth)), ...span };
    if (isSeq(node))
      return { type: 'array', items: node.items.map((item) => this.#node(item, span, depth + 1)), ...span };
    if (isScalar(node)) return scalarNode(node, span);
    return { type: 'literal', value: null, ...span };
  }

  #member(pair: Pair, parent: Span, depth: number): JsonMember {
    const keySpan = spanOf(pair.key) ?? parent;
    const key = isScalar(pair.key) ? String(pair.key.value) : '';
    // An empty value has no range of its own: it would stand behind the colon.
    const after = { start: keySpan.end + 1, end: keySpan.end + 1 };
    return { key, keySpan, value: this.#node(pair.value, after, depth + 1) };
  }

  #alias(alias: Alias, span: Span, depth: number): JsonNode {
    const target: Node | undefined = this.#document && alias.resolve(this.#document);
    return target === undefined ? { type: 'literal', value: null, ...span } : this.#node(target, span, depth + 1);
  }

  #tooMuch(span: Span): JsonNode {
    if (!this.problems.some(({ severity }) => severity === 'error')) {
      const message = `the YAML is nested deeper than ${MAX_DEPTH} levels, or its aliases expand to more than ${MAX_NODES} values`;
      this.problems.push({
        severity: 'error',
        message,
        fix: 'Such a file is no tape; look at it in the text editor.',
        span,
      });
    }
    return { type: 'literal', value: null, ...span };
  }
}

function spanOf(node: unknown): Span | undefined {
  if (!isScalar(node) && !isMap(node) && !isSeq(node) && !isAlias(node)) return undefined;
  return node.range ? { start: node.range[0], end: node.range[1] } : undefined;
}

function scalarNode({ value, type, tag }: Scalar, span: Span): JsonNode {
  const text = typeof value === 'string' ? value : String(value ?? '');
  if (tag !== undefined && /(^!|:)binary$/.test(tag)) return { type: 'string', value: text, binary: true, ...span };
  if (tag === undefined && type === 'PLAIN') return { ...resolvePlain(text), ...span };
  return { type: 'string', value: text, ...span };
}
