import { decodeBase64, encodeBase64 } from '../bytes/base64';
import { jsonStringSplices } from '../json/editJson';
import { compactJson } from '../json/json';
import { type JsonMember, type JsonNode, type JsonStringNode, visitStrings } from '../json/jsonNode';
import { readJson } from '../json/readJson';
import type { Interaction } from '../model/interaction';
import { replaceText, textItem } from '../syntax/replaceText';
import { type Documents, readDocuments } from '../tapes/documents';
import type { TapeResponseEdit } from '../tapes/format';
import { jsonStrings } from '../tapes/formats/shared/storedBody';
import type { TapeFile } from '../tapes/tapeFile';
import type { Span } from '../text/source';
import { applySplices, composeSplices, type Splice } from '../text/splice';
import { looksLikeNdjson } from '../wire/body/ndjson';
import { looksLikeSse } from '../wire/body/sse';
import { reasoningPartsOf } from '../wire/edit/responseEdit';
import { replaceYamlString } from '../yaml/replaceYamlScalar';
import { looseStringSplices } from './looseStrings';
import { isBase64, unpackString } from './packedString';
import { redactBody } from './redactBody';
import { redactStream } from './redactStream';
import type { ValueSearch } from './valueSearch';

/** Levels of encoding that are searched, as of base64 in JSON in gzip. */
const MAX_DEPTH = 4;

/** A string with its values hidden. `blocked`: some are in an encoding that cannot be written. */
interface HiddenText {
  readonly text: string;
  readonly blocked: boolean;
}

/**
 * Hides values in a string: in plain text and every spelling, in its decoded form, in encoded strings of JSON within it, and
 * in the pieces of a stream.
 */
export function hideValues(value: string, search: ValueSearch, depth = 0): HiddenText {
  const isPacked = depth < MAX_DEPTH && !search.substitution.isValue(value);
  const packed = isPacked ? unpackString(value) : undefined;
  if (packed !== undefined) {
    const inner = hideValues(packed.text, search, depth + 1);
    if (inner.text === packed.text) return { text: value, blocked: inner.blocked };
    const again = packed.repack(inner.text);
    return again === undefined ? { text: value, blocked: true } : { text: again, blocked: inner.blocked };
  }
  if (isPacked && isBase64(value)) return inBytes(value, search);
  const replacements = search.replacements(value);
  const written = replacements.filter(({ isLost }) => !isLost);
  const nested = inNested(applySplices(value, written), search, depth);
  const whole = inStream(nested.text, search);
  return { text: whole.text, blocked: written.length < replacements.length || nested.blocked || whole.blocked };
}

/** Hides values in base64 of binary data, such as the frames of a stream. */
function inBytes(base64: string, search: ValueSearch): HiddenText {
  const replaced = search.substitution.replace(base64, true);
  const bytes = replaced === base64 ? decodeBase64(base64) : undefined;
  if (bytes === undefined) return { text: replaced, blocked: false };
  const clean = redactBody(bytes, [], search.inBinary);
  if (clean === bytes) return { text: base64, blocked: false };
  return clean === undefined ? { text: base64, blocked: true } : { text: encodeBase64(clean), blocked: false };
}

/** Hides values in the pieces of a stream within a string. */
function inStream(value: string, search: ValueSearch): HiddenText {
  if (!looksLikeSse(value) && !looksLikeNdjson(value)) return { text: value, blocked: false };
  const clean = redactStream({ type: 'text', text: value }, [], search);
  return clean?.type === 'text' ? { text: clean.text, blocked: false } : { text: value, blocked: true };
}

/** Hides values in encoded strings of JSON within a string; plain values have been replaced before. */
function inNested(value: string, search: ValueSearch, depth: number): HiddenText {
  if (depth >= MAX_DEPTH || !/^\s*[{[]/.test(value.slice(0, 64)) || !MAY_PACK.test(value))
    return { text: value, blocked: false };
  const { value: root, problems } = readJson(value);
  if (root === undefined || problems.length > 0) return { text: value, blocked: false };
  let blocked = false;
  const splices: Splice[] = [];
  visitStrings(root, (node) => {
    const hidden = hideValues(node.value, search, depth + 1);
    blocked ||= hidden.blocked;
    if (hidden.text !== node.value) splices.push(...jsonStringSplices(value, node, hidden.text));
  });
  return { text: applySplices(value, splices), blocked };
}

const MAY_PACK = /[A-Za-z0-9+/_-]{16}/;

/**
 * The edits that hide values in a response by its meaning: in its text, its reasoning and the arguments of its calls, each of
 * which may be streamed in chunks that contain no whole value.
 */
export function hideInResponse({ index: interaction, response }: Interaction, search: ValueSearch): TapeResponseEdit[] {
  if (response === undefined) return [];
  const hidden = (text: string | null | undefined): string | undefined => {
    const changed = hideValues(text ?? '', search).text;
    return changed === (text ?? '') ? undefined : changed;
  };
  const text = hidden(response.content);
  return [
    ...(text === undefined ? [] : [{ type: 'response-text' as const, interaction, text }]),
    ...reasoningPartsOf(response).flatMap((part, index) => {
      const thought = hidden(part.text);
      return thought === undefined ? [] : [{ type: 'reasoning' as const, interaction, part: index, text: thought }];
    }),
    ...response.toolCalls.flatMap(({ arguments: args, argumentsText }, call) => {
      const json = hidden(argumentsText ?? (typeof args === 'string' ? args : compactJson(args)));
      return json === undefined ? [] : [{ type: 'arguments' as const, interaction, call, json }];
    }),
  ];
}

/** The splices that hide values in a file, and the places of values that cannot be replaced. */
interface FileSplices {
  readonly splices: readonly Splice[];
  readonly blocked: readonly Span[];
}

/** Hides values in the text of a file: in the strings and keys of JSON and YAML, and anywhere in other files. */
export function hideInFile(file: TapeFile, search: ValueSearch): FileSplices {
  const documents = readDocuments(file);
  if (documents.roots.length === 0 || documents.problems.length > 0) return inText(file.text, search);
  const hiding = new Hiding(file, documents.syntax, search);
  for (const { node, offset } of documents.roots) hiding.visit(node, offset, undefined);
  return hiding;
}

/** Hides values in a file that is neither JSON nor YAML. The pieces of its streams are found by their names. */
function inText(text: string, search: ValueSearch): FileSplices {
  const replacements = search.replacements(text);
  const [written, blocked] = [
    replacements.filter(({ isLost }) => !isLost),
    replacements.filter(({ isLost }) => isLost),
  ];
  const once = applySplices(text, written);
  return { splices: composeSplices(text, written, looseStringSplices(once, search)), blocked };
}

class Hiding implements FileSplices {
  readonly splices: Splice[] = [];
  readonly blocked: Span[] = [];

  constructor(
    private readonly file: TapeFile,
    private readonly syntax: Documents['syntax'],
    private readonly search: ValueSearch,
  ) {}

  visit(node: JsonNode, offset: number, member: JsonMember | undefined): void {
    if (node.type === 'string') this.#string(node, offset, member);
    else if (node.type === 'array') for (const item of node.items) this.visit(item, offset, undefined);
    else if (node.type === 'object') {
      for (const one of node.members) {
        const { start, end } = one.keySpan;
        this.splices.push(...this.#inPlace({ start: start + offset, end: end + offset }, false));
        this.visit(one.value, offset, one);
      }
    }
  }

  #string(node: JsonStringNode, offset: number, member: JsonMember | undefined): void {
    const place = { start: node.start + offset, end: node.end + offset };
    const { text, blocked } = hideValues(node.value, this.search);
    if (blocked) this.blocked.push(place);
    if (text === node.value) return;
    const isPlain = text === this.search.substitution.replace(node.value, isBase64(node.value));
    const inPlace = isPlain ? this.#inPlace(place, isBase64(node.value)) : [];
    const wanted = this.search.substitution.splices(node.value, 0, isBase64(node.value)).length;
    // Encoded strings, and strings that are folded or escaped in unexpected ways, are written anew.
    const splices = isPlain && inPlace.length === wanted ? inPlace : this.#written(node, place, text, member);
    if (splices === undefined) this.blocked.push(place);
    else this.splices.push(...splices);
  }

  #inPlace({ start, end }: Span, opaque: boolean): Splice[] {
    return this.search.substitution.splices(this.file.text.slice(start, end), start, opaque);
  }

  #written(
    node: JsonStringNode,
    place: Span,
    text: string,
    member: JsonMember | undefined,
  ): readonly Splice[] | undefined {
    const source = this.file.text;
    if (this.syntax === 'json') return jsonStrings(this.file)(node, text);
    if (this.syntax === 'json-lines') return jsonStringSplices(source, { ...place, value: node.value }, text);
    if (node.binary) return [replaceYamlString(source, node, text, { step: 2, binaryColumns: 76 })];
    const owner = member ?? textItem(source, node);
    const splice = owner && replaceText(source, 'yaml', owner, text);
    return splice && [splice];
  }
}
