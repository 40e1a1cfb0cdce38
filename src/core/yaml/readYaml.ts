import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Pair,
  Parser,
  type Scalar,
  type YAMLError,
} from 'yaml';
import type { JsonMember, JsonNode } from '../json/jsonNode';
import { message, t } from '../text/l10n';
import { memoiseLast } from '../text/memo';
import type { ParseResult, Problem, Span } from '../text/source';
import { decodeBlock, decodePlain, decodeQuoted } from './decodeScalar';
import { resolvePlain } from './plainScalar';
import { readBlockYaml } from './readBlockYaml';

/** The members of the package's lexer that its types leave out. */
interface LexerState {
  /** The least indentation of a scalar's further lines; 0 checks only for the marker of a document. */
  indentNext: number;
  lex(source: string): Generator<string, void>;
  parseQuotedScalar(): Generator<string, unknown>;
}

const OpenLexer = Lexer as unknown as new () => LexerState;

/**
 * The package's lexer, except that the further lines of a quoted scalar may have any indentation, as in libyaml and PyYAML:
 * people wrap long bodies at the indentation of their key.
 */
class PyyamlLexer extends OpenLexer {
  override *parseQuotedScalar(): Generator<string, unknown> {
    const indent = this.indentNext;
    this.indentNext = 0;
    const next = yield* super.parseQuotedScalar();
    this.indentNext = indent;
    return next;
  }
}

/** The number of problems reported for a file in which everything is broken. */
const MAX_PROBLEMS = 100;
/** The package takes a hundred times the memory of a text. Recorders write YAML that needs no package. */
const MAX_LIBRARY_LENGTH = 2_000_000;
const FIX = message('Fix the file in the text editor, or restore it from version control.');
const NOT_A_TAPE = message('Tapedeck cannot open this file as a tape. Open it in the text editor.');

/** What recorders write has some forty characters a line, and takes a node for each. */
const MAX_LINES = 500_000;

function notATape(message: string, offset = 0): Problem {
  return { severity: 'error', message, fix: t(NOT_A_TAPE), span: { start: offset, end: offset } };
}

function hasTooManyLines(text: string): boolean {
  const limit = Math.max(MAX_LINES, text.length / 16);
  if (text.length < limit) return false;
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1 && lines <= limit; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines > limit;
}

function tooLarge(): Problem {
  const millions = MAX_LIBRARY_LENGTH / 1e6;
  return notATape(
    t(
      'YAML of more than {0} million characters is read in block style only, without anchors, tags and flow style',
      millions,
    ),
  );
}

/**
 * Reads every document of a YAML text into the same tree as `readJson`, so that formats read both alike. Strings tagged
 * `!!binary` or `!binary` are marked, not decoded; all other tags are ignored, and none executes anything. Plain
 * scalars have the types of PyYAML (YAML 1.1), except that dates stay text.
 */
export const readYaml = memoiseLast((text): ParseResult<readonly JsonNode[]> => {
  if (hasTooManyLines(text))
    return {
      value: [],
      problems: [notATape(t('the YAML has more than {0} lines of less than 16 characters', MAX_LINES))],
    };
  const value = readBlockYaml(text);
  return value === undefined ? readYamlByLibrary(text) : { value, problems: [] };
});

/** The same with the `yaml` package alone, which supports all of YAML. */
export function readYamlByLibrary(text: string): ParseResult<readonly JsonNode[]> {
  if (text.length > MAX_LIBRARY_LENGTH) return { value: [], problems: [tooLarge()] };
  const tokens = tokenize(text);
  const deep = tokens === undefined ? depthProblemAt(0) : depthProblem(tokens);
  if (tokens === undefined || deep !== undefined) return { value: [], problems: deep === undefined ? [] : [deep] };
  // Pretty errors take longer than all the rest. All scalars are strings, and keys may be repeated.
  const options = {
    schema: 'failsafe',
    version: '1.1',
    logLevel: 'silent',
    uniqueKeys: false,
    prettyErrors: false,
    keepSourceTokens: true,
  } as const;
  const documents = [...new Composer(options).compose(tokens, false, text.length)];
  const problems = documents.flatMap(({ errors }) => errors).slice(0, MAX_PROBLEMS);
  const builder = new TreeBuilder(text.length);
  const value = documents.map((document) => builder.document(document));
  return { value, problems: [...problems.map((error) => toProblem(error, text)), ...builder.problems] };
}

/** Undefined if the text is nested so deeply that the recursive parser overflows the stack. */
function tokenize(text: string): CST.Token[] | undefined {
  try {
    const parser = new Parser();
    const tokens = [...new PyyamlLexer().lex(text)].flatMap((source) => [...parser.next(source)]);
    return [...tokens, ...parser.end()];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A tag as it is in the text, such as `!!python/tuple`. */
interface YamlTag extends Span {
  readonly tag: string;
}

/** The tags of a YAML text, as its parser finds them: a string may contain what looks like one. */
export function yamlTags(text: string): readonly YamlTag[] {
  // The quick reader understands no tag but that of base64.
  if (text.length > MAX_LIBRARY_LENGTH || hasTooManyLines(text) || readBlockYaml(text) !== undefined) return [];
  const tags: YamlTag[] = [];
  const open: unknown[] = Array.from(tokenize(text) ?? []);
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    const { type, source, offset } = part as Partial<CST.SourceToken>;
    if (type === 'tag' && source !== undefined && offset !== undefined)
      tags.push({ tag: source, start: offset, end: offset + source.length });
    // One by one: a list may have more items than a call takes arguments.
    else for (const inner of Object.values(part)) if (typeof inner === 'object' && inner !== null) open.push(inner);
  }
  return tags.sort((left, right) => left.start - right.start);
}

function toProblem({ message, pos: [start, end] }: YAMLError, { length }: string): Problem {
  const from = Math.min(start, length);
  const span = { start: from, end: Math.min(Math.max(from, end), length) };
  return { severity: 'error', message: t('invalid YAML: {0}', message), fix: t(FIX), span };
}

/** An anchored node, with the number of its nodes and of the levels below it. */
interface Anchored {
  readonly node: JsonNode;
  readonly size: number;
  readonly height: number;
}

class TreeBuilder {
  readonly problems: Problem[] = [];
  /** The anchors of the document so far; undefined for one whose node is still being read. */
  readonly #anchors = new Map<string, Anchored | undefined>();
  readonly #maxRepeated: number;
  #nodes = 0;
  #repeated = 0;
  #depth = 0;
  #deepest = 0;

  /** Limits the nodes that aliases repeat: aliases of aliases in nine lines of YAML could fill the memory. */
  constructor(textLength: number) {
    this.#maxRepeated = 10_000 + textLength;
  }

  document(document: Document): JsonNode {
    this.#anchors.clear();
    const [start = 0] = document.range ?? [];
    return this.#node(document.contents, { start, end: start });
  }

  /** `fallback` is the span of an absent value. */
  #node(node: unknown, fallback: Span): JsonNode {
    const span = spanOf(node) ?? fallback;
    if (isAlias(node)) return this.#alias(node, span);
    this.#nodes += 1;
    this.#depth += 1;
    this.#deepest = Math.max(this.#deepest, this.#depth);
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    const built = anchor === undefined ? this.#built(node, span) : this.#anchored(anchor, node, span);
    this.#depth -= 1;
    return built;
  }

  #anchored(anchor: string, node: unknown, span: Span): JsonNode {
    const nodes = this.#nodes;
    const deepest = this.#deepest;
    // An alias inside its own anchor would be infinite.
    this.#anchors.set(anchor, undefined);
    this.#deepest = this.#depth;
    const built = this.#built(node, span);
    this.#anchors.set(anchor, { node: built, size: this.#nodes - nodes + 1, height: this.#deepest - this.#depth });
    this.#deepest = Math.max(this.#deepest, deepest);
    return built;
  }

  #built(node: unknown, span: Span): JsonNode {
    const { start, end } = span;
    if (isScalar(node)) return scalarNode(node, span);
    if (isMap(node)) return { type: 'object', members: this.#members(node.items, span), start, end };
    if (isSeq(node)) return { type: 'array', items: node.items.map((item) => this.#node(item, span)), start, end };
    return { type: 'literal', value: null, start, end };
  }

  /** The members of a map, and those that it merges by `<<` and does not have itself. */
  #members(pairs: readonly Pair[], parent: Span): JsonMember[] {
    const members = pairs.map((pair) => this.#member(pair, parent));
    const isMerge = pairs.map(({ key }) => isScalar(key) && key.type === 'PLAIN' && key.source === '<<');
    if (!isMerge.includes(true)) return members;
    const own = members.filter((_, at) => !isMerge[at]);
    const known = new Set(own.map(({ key }) => key));
    const merged = members.filter((_, at) => isMerge[at]).flatMap(({ value }) => mergedMembers(value));
    return [...merged.filter(({ key }) => !known.has(key) && known.add(key)), ...own];
  }

  #member(pair: Pair, parent: Span): JsonMember {
    const keySpan = spanOf(pair.key) ?? parent;
    const key = keyText(pair.key);
    // An empty value has no range; its span is after the colon.
    const after = Math.min(keySpan.end + 1, Math.max(parent.end, keySpan.end));
    return { key, keySpan, value: this.#node(pair.value, { start: after, end: after }) };
  }

  #alias({ source }: Alias, span: Span): JsonNode {
    const target = this.#anchors.get(source);
    if (target === undefined) return { type: 'literal', value: null, ...span };
    this.#nodes += target.size;
    this.#repeated += target.size;
    this.#deepest = Math.max(this.#deepest, this.#depth + 1 + target.height);
    if (this.#repeated <= this.#maxRepeated && this.#deepest <= MAX_DEPTH) return target.node;
    if (!this.problems.some(({ severity }) => severity === 'error')) {
      const message = t('the YAML aliases expand to too many values or are nested too deeply');
      this.problems.push({ severity: 'error', message, fix: t(NOT_A_TAPE), span });
    }
    return { type: 'literal', value: null, ...span };
  }
}

/** The text of a key. An object of Python's, whose key is a tagged list, is named by what it is made of, as of a name of a header. */
function keyText(key: unknown): string {
  if (isScalar(key)) return scalarText(key);
  if (isSeq(key)) return key.items.map(keyText).join(', ');
  if (!isMap(key)) return '';
  const args = key.items.find((pair) => keyText(pair.key) === 'args');
  return args === undefined
    ? key.items.map((pair) => `${keyText(pair.key)}: ${keyText(pair.value)}`).join(', ')
    : keyText(args.value);
}

/** Of several maps, the first that has a key counts. */
function mergedMembers(value: JsonNode): readonly JsonMember[] {
  if (value.type === 'object') return value.members;
  return value.type === 'array' ? value.items.flatMap(mergedMembers) : [];
}

function spanOf(node: unknown): Span | undefined {
  if (!isScalar(node) && !isMap(node) && !isSeq(node) && !isAlias(node)) return undefined;
  return node.range ? { start: node.range[0], end: node.range[1] } : undefined;
}

/** A scalar with such a tag has the type of a plain one, even in quotes; so PyYAML reads `!` too. */
const PLAIN_TAG = /^(?:!|tag:yaml\.org,2002:(?:int|float|bool|null))$/;

function scalarNode(scalar: Scalar, span: Span): JsonNode {
  const { type, tag } = scalar;
  const text = scalarText(scalar);
  if (tag !== undefined && /(^!|:)binary$/.test(tag)) return { type: 'string', value: text, binary: true, ...span };
  if (tag === undefined ? type === 'PLAIN' : PLAIN_TAG.test(tag)) return { ...resolvePlain(text), ...span };
  return { type: 'string', value: text, ...span };
}

/**
 * The maximum nesting. No tape needs more, and `yaml` crashes the process on deeper texts: a regular expression
 * overflows.
 */
const MAX_DEPTH = 250;

/** The problem of a text that is nested too deeply; undefined if it is not. */
function depthProblem(tokens: readonly CST.Token[]): Problem | undefined {
  let level: readonly CST.Token[] = tokens;
  for (let depth = 0; level.length > 0; depth += 1) {
    const [first] = level;
    if (depth > MAX_DEPTH && first !== undefined) return depthProblemAt(first.offset);
    level = level.flatMap(childTokens);
  }
  return undefined;
}

function depthProblemAt(offset: number): Problem {
  const message = t('the YAML is nested deeper than {0} levels', MAX_DEPTH);
  return notATape(message, offset);
}

function childTokens(token: CST.Token): CST.Token[] {
  const children: CST.Token[] = [];
  if (token.type === 'document' && token.value) children.push(token.value);
  if ('items' in token) {
    for (const item of token.items) {
      if ('key' in item && isCollection(item.key)) children.push(item.key);
      if (isCollection(item.value)) children.push(item.value);
    }
  }
  return children;
}

function isCollection(token: CST.Token | null | undefined): token is CST.Token {
  return token !== null && token !== undefined && 'items' in token;
}

function scalarText({ srcToken, value, type }: Scalar): string {
  if (srcToken?.type === 'block-scalar') {
    const header = srcToken.props.find((prop) => prop.type === 'block-scalar-header');
    if (header !== undefined && 'source' in header)
      return decodeBlock(header.source, srcToken.source, Math.max(1, srcToken.indent + 1));
  } else if (srcToken !== undefined && 'source' in srcToken) {
    const isQuoted = type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE';
    return isQuoted ? decodeQuoted(srcToken.source) : decodePlain(srcToken.source);
  }
  return typeof value === 'string' ? value : String(value ?? '');
}
