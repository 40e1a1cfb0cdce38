import { nonBlankLines } from '../json/jsonLines';
import type { JsonMember, JsonNode, JsonStringNode } from '../json/jsonNode';
import { readJson } from '../json/readJson';
import type { TextParts } from '../text/textParts';

/** A text that a message, a call of a tool, or a tool is made of. */
export interface SaidText {
  readonly text: string;
  /** Of a call and of a tool, its name; an argument of a call; what is JSON may hold any. */
  readonly kind: 'text' | 'call' | 'argument' | 'tool' | 'json';
  /** The name of the member that it is in, or that the list or the call is in. */
  readonly name: string;
  /** Where it begins. */
  readonly at: number;
}

/** What programs call the text of a message, alone or at the end of a name, as in `userMessage` and `response_text`. */
const TEXT =
  /(?:^|[^a-z])(?:text|content|message|parts|thinking|reasoning|prompt|completion|input|output|response|answer|delta)$/;
/** Names of what is counted, such as `token_count.prompt`. */
const COUNTED = /(?:^|[^a-z])tokens?(?:[^a-z]|$)/;
/** What they call a call, or a list of calls, or of tools. */
const CALL = /(?:^|[^a-z])(?:(?:tool|function)_calls?|tool_(?:uses?|requests?))$/;
const TOOLS = /(?:^|[^a-z])tools$/;
/** What they call the function in either. */
const FUNCTION = /(?:^|[^a-z])function$/;
const NAME = /(?:^|[^a-z])(?<!display_)name$/;
/** A tool says what it takes; the name of one may stand elsewhere. */
const PARAMETERS = /(?:^|[^a-z])(?:parameters|schema|description)$/;
/** A place where a text is, or a text that nobody wrote: sound, a picture, a signature. */
const NO_TEXT = /^\s*(?:[a-z][\w+.-]*:\/\/\S+|[\w+/=-]{32,})\s*$/i;

/** What is said in a value, by the names of its members. `isBeside`: names of members that hold nothing of it. */
export function saidIn(node: JsonNode, isBeside?: (name: string) => boolean): SaidText[] {
  const said: SaidText[] = [];
  const add = (kind: SaidText['kind'], { value, start: at }: JsonStringNode, name: string): void => {
    if (value.trim() !== '') said.push({ text: value.trim(), kind, name, at });
  };
  const collect = (value: JsonNode, kind: Kind, name: string): void => {
    if (value.type === 'array') for (const item of value.items) collect(item, kind, name);
    else if (value.type === 'string') {
      if (kind === 'text' && !NO_TEXT.test(value.value)) add(kind, value, name);
      else if (/^\s*[[{]/.test(value.value)) add('json', value, name);
    }
    if (value.type !== 'object') return;
    const { members } = value;
    const pair = kind === undefined ? pairOf(members) : undefined;
    if (pair !== undefined) {
      for (const leaf of stringsIn(pair.value)) add('text', leaf, pair.name);
      return;
    }
    // What failed has a question, and no answer.
    if (members.some((one) => one.key === 'error' && one.value.type === 'object')) return;
    const isCall = kind === 'call' || isTypedCall(members);
    if (isCall)
      for (const { key, value: given } of members.filter((one) => !RESULT.test(wordsOf(one.key))))
        for (const { value: leaf } of argumentsIn(given))
          if (leaf.trim() !== '') said.push({ text: leaf.trim(), kind: 'argument', name: key, at: given.start });
    const isNamed = isCall || (kind === 'tool' && isTool(value));
    for (const { key, value: inner } of members) {
      const words = wordsOf(key);
      if (isBeside?.(key)) continue;
      if (isNamed && inner.type === 'string' && NAME.test(words)) add(isCall ? 'call' : 'tool', inner, name || key);
      else if (FUNCTION.test(words)) collect(inner, kind === 'tool' || isTool(inner) ? 'tool' : 'call', name || key);
      else
        collect(
          inner,
          CALL.test(words) ? 'call' : TOOLS.test(words) ? 'tool' : isText(words) ? 'text' : undefined,
          key,
        );
    }
  };
  collect(node, undefined, '');
  return said;
}

/** What programs write as the type of an object that is a call. */
const CALL_TYPE = /(?:tool|function)_?(?:call|use)$/i;

function isTypedCall(members: readonly JsonMember[]): boolean {
  return members.some(({ key, value }) => key === 'type' && value.type === 'string' && CALL_TYPE.test(value.value));
}

function isTool(node: JsonNode): boolean {
  return node.type === 'object' && node.members.some(({ key }) => PARAMETERS.test(wordsOf(key)));
}

/** The texts in a member of a call, if it may be its arguments: an object that is no record, or one that is written as a text. */
function argumentsIn(node: JsonNode): Iterable<JsonStringNode> {
  const object = node.type === 'string' && /^\s*\{/.test(node.value) ? jsonDocuments(node.value)[0]?.node : node;
  const isRecord = object?.type !== 'object' || object.members.some(({ key }) => OF_RECORDS.test(key));
  return isRecord ? [] : stringsIn(object);
}

/** What they call what came of a call, which stands beside it in some records. */
const RESULT = /(?:^|[^a-z])(?:results?|output|response|content|metadata)$/;
const OF_RECORDS = /^(?:id|type|name|content)$/;

type Kind = SaidText['kind'] | undefined;

function isText(words: string): boolean {
  return TEXT.test(words) && !COUNTED.test(words);
}

/** An attribute that is written as an object: the name that ends like that of a text, and what else there is. */
function pairOf(members: readonly JsonMember[]): { readonly name: string; readonly value: JsonNode } | undefined {
  const [first, second] = members;
  if (first === undefined || second === undefined || members.length > 2) return undefined;
  for (const [one, other] of [
    [first, second],
    [second, first],
  ] as const) {
    const name = one.value.type === 'string' ? one.value.value : '';
    if (ATTRIBUTE.test(name)) return { name, value: other.value };
  }
  return undefined;
}

/** `gen_ai.prompt.0.content`; what a step was given and gave is no message. */
const ATTRIBUTE = /^\w{1,40}(?:\.\w{1,40}){1,8}(?<=\.(?:content|text))$/;

function* stringsIn(node: JsonNode): Generator<JsonStringNode> {
  if (node.type === 'string') yield node;
  else if (node.type === 'array') for (const item of node.items) yield* stringsIn(item);
  else if (node.type === 'object') for (const { value } of node.members) yield* stringsIn(value);
}

/** A name in lower case, with an underscore before each capital. */
function wordsOf(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();
}

/** A document of a text, whose places are from there on. */
export interface PlacedDocument {
  readonly node: JsonNode;
  readonly offset: number;
}

/** The document of a text in JSON, or those of its lines, without broken ones. */
export function jsonDocuments(text: TextParts): PlacedDocument[] {
  const { value, problems } = readJson(text);
  if (problems.length === 0) return value === undefined ? [] : [{ node: value, offset: 0 }];
  return nonBlankLines(text).flatMap(({ start, end }) => {
    const { value: node, problems: broken } = readJson(text.slice(start, end));
    return node === undefined || broken.length > 0 ? [] : [{ node, offset: start }];
  });
}
