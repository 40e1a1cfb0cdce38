import { jsonEqual } from '../../../json/json';
import type { JsonMember, JsonNode, JsonObjectNode, JsonStringNode } from '../../../json/jsonNode';
import { looksLikeJson } from '../../../json/jsonOutline';
import { readJson } from '../../../json/readJson';
import type { HttpBody } from '../../../model/http';
import type { Tape } from '../../../model/tape';
import { t } from '../../../text/l10n';
import type { ParseResult, Span } from '../../../text/source';
import { applySplices, keepLineEnd, type Splice } from '../../../text/splice';
import { type TextParts, wholeText } from '../../../text/textParts';
import { bodyContent } from '../../../wire/body/bodyContent';
import { readYaml } from '../../../yaml/readYaml';
import { replaceYamlString, type YamlWriter } from '../../../yaml/replaceYamlScalar';
import { YamlBinary, type YamlValue } from '../../../yaml/writeYaml';
import type { DependentEdits, EditOutcome, TapeResponseEdit } from '../../format';
import { type TapeFile, textParts } from '../../tapeFile';
import { editHttpTape, followHttpTape, refuseUnencodable } from './editHttpTape';
import { entriesOf, type HttpLayout, readHttpTape, readStoredExchange } from './httpTape';
import { base64Body, jsonStrings, noBody, type StoredBody, textBody, type WriteString } from './storedBody';

/** A format of recorded HTTP in YAML, or in JSON of the same shape. */
export interface YamlHttpFormat {
  readonly layout: HttpLayout;
  readonly writer: YamlWriter;
  /** Converts the content of a file to the shape of the layout; its nodes keep their spans. */
  shape(documents: readonly JsonNode[]): JsonNode | undefined;
}

export function readYamlHttpTape(format: YamlHttpFormat, file: TapeFile): Tape {
  return readHttpTape(format.layout, parse(format, textParts(file)));
}

function parse({ shape }: YamlHttpFormat, text: TextParts): ParseResult<JsonNode> {
  if (looksLikeJson(text)) {
    const { value, problems } = readJson(text);
    return { value: value && shape([value]), problems };
  }
  const { value = [], problems } = readYaml(wholeText(text));
  return { value: shape(value), problems };
}

export function followYamlHttpTape(format: YamlHttpFormat, file: TapeFile, changes: readonly Splice[]): DependentEdits {
  const after = parse(format, applySplices(file.text, changes));
  return followHttpTape(format.layout, parse(format, file.text), after, stringsOf(format, file));
}

function stringsOf({ writer }: YamlHttpFormat, file: TapeFile): WriteString {
  return looksLikeJson(file.text) ? jsonStrings(file) : yamlStrings(file.text, writer);
}

export function editYamlHttpTape(format: YamlHttpFormat, file: TapeFile, edit: TapeResponseEdit): EditOutcome {
  const { text } = file;
  const outcome = refuseUnencodable(
    file,
    editHttpTape(format.layout, parse(format, text), stringsOf(format, file), edit),
  );
  if ('refused' in outcome) return outcome;
  const splices = outcome.splices.map((splice) => keepLineEnd(text, splice));
  const changed = applySplices(text, splices);
  const reread = readYamlHttpTape(format, { ...file, text: changed }).interactions[edit.interaction];
  // Slightly invalid YAML around the response can change how the written text is parsed.
  if (edit.type === 'response-text' && reread?.response?.content !== edit.text)
    return { refused: t('This part of the file cannot hold the new text. Change it in the text editor.') };
  const edited = { ...outcome, splices };
  if (!ALIAS.test(text)) return edited;
  const others = otherExchanges(format, text, edit.interaction);
  const after = otherExchanges(format, changed, edit.interaction);
  if (jsonEqual(others, after)) return edited;
  return {
    refused: t('Other interactions share this response or its headers by a YAML alias. Change it in the text editor.'),
  };
}

/** Whether a node is used in several places of the file. */
const ALIAS = /^ *(?:- +)*(?:[\w.-]+: +)?\*[\w-]+[ \t\r]*$/m;

function otherExchanges(format: YamlHttpFormat, text: string, index: number): unknown[] {
  const { value: root } = parse(format, text);
  const entries = root === undefined ? [] : entriesOf(format.layout, root);
  return entries.filter((_, at) => at !== index).map((entry) => readStoredExchange(format.layout, entry).exchange);
}

/** A string that is the body: as text, or as base64 by its tag. */
export function scalarBody(node: JsonNode | undefined): StoredBody {
  return node?.type === 'string' && node.binary ? base64Body(node) : textBody(node);
}

/** A string that is base64 without a tag. */
export function asBinary({ value, start, end }: JsonStringNode): JsonStringNode {
  return { type: 'string', value, binary: true, start, end };
}

/** The same, where `''` stands for no body. */
export function scalarOrNone(node: JsonNode | undefined): StoredBody {
  return node?.type === 'string' && node.value === '' ? noBody(node) : scalarBody(node);
}

/** A body as the scalar of a new file; null for an empty body. */
export function bodyScalar(body: HttpBody): YamlValue {
  const content = bodyContent(body);
  if (content === undefined) return null;
  return 'text' in content ? content.text : new YamlBinary(content.base64);
}

/** An object with members from anywhere in the file. */
export function objectNode(
  members: Readonly<Record<string, JsonNode | undefined>>,
  { start, end }: Span,
): JsonObjectNode {
  return {
    type: 'object',
    members: Object.entries(members).flatMap(([key, value]): JsonMember[] =>
      value === undefined ? [] : [{ key, keySpan: { start, end: start }, value }],
    ),
    start,
    end,
  };
}

export function arrayNode(items: readonly JsonNode[], { start, end }: Span): JsonNode {
  return { type: 'array', items, start, end };
}

/** The same object with some members replaced by name; a member that is undefined is removed. */
export function withMembers(
  node: JsonObjectNode,
  changed: Readonly<Record<string, JsonNode | undefined>>,
): JsonObjectNode {
  const kept = node.members.filter(({ key }) => !Object.hasOwn(changed, key));
  return { ...node, members: [...kept, ...objectNode(changed, node).members] };
}

/** Writes strings as in a YAML file. */
export function yamlStrings(source: string, writer: YamlWriter): WriteString {
  return (node, value) => [replaceYamlString(source, node, value, writer)];
}
