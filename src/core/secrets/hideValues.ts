import { replaceText, textItem } from '../documents/replaceText';
import { jsonStringSplices } from '../json/editJson';
import { compactJson } from '../json/json';
import { type JsonMember, type JsonNode, type JsonStringNode, stringNodes } from '../json/jsonNode';
import { readJson } from '../json/readJson';
import type { Interaction } from '../model/interaction';
import { type Documents, readDocuments } from '../tapes/documents';
import type { TapeResponseEdit } from '../tapes/format';
import { jsonStrings } from '../tapes/formats/shared/storedBody';
import type { TapeFile } from '../tapes/tapeFile';
import type { Span } from '../text/source';
import { applySplices, type Splice } from '../text/splice';
import { reasoningPartsOf } from '../wire/edit/responseEdit';
import { replaceYamlString } from '../yaml/replaceYamlScalar';
import { isBase64, unpackString } from './packedString';
import type { Substitution } from './substitution';

/** Levels of encoding that are searched, as of base64 in JSON in gzip. */
const MAX_DEPTH = 4;

/** A string with its values hidden. `blocked`: some are in an encoding that cannot be written. */
export interface HiddenText {
  readonly text: string;
  readonly blocked: boolean;
}

/** Hides values in a string: in plain text, in its decoded form, and in encoded strings of JSON within it. */
export function hideValues(value: string, substitution: Substitution, depth = 0): HiddenText {
  const packed = depth >= MAX_DEPTH || substitution.isValue(value) ? undefined : unpackString(value);
  if (packed !== undefined) {
    const inner = hideValues(packed.text, substitution, depth + 1);
    if (inner.text === packed.text) return { text: value, blocked: inner.blocked };
    const again = packed.repack(inner.text);
    return again === undefined ? { text: value, blocked: true } : { text: again, blocked: inner.blocked };
  }
  const opaque = isBase64(value) && !substitution.isValue(value);
  return inNested(substitution.replace(value, opaque), substitution, depth);
}

/** Hides values in encoded strings of JSON within a string; plain values have been replaced before. */
function inNested(value: string, substitution: Substitution, depth: number): HiddenText {
  if (depth >= MAX_DEPTH || !/^\s*[{[]/.test(value.slice(0, 64)) || !MAY_PACK.test(value))
    return { text: value, blocked: false };
  const { value: root, problems } = readJson(value);
  if (root === undefined || problems.length > 0) return { text: value, blocked: false };
  let blocked = false;
  const splices = [...stringNodes(root)].flatMap((node) => {
    const hidden = hideValues(node.value, substitution, depth + 1);
    blocked ||= hidden.blocked;
    return hidden.text === node.value ? [] : jsonStringSplices(value, node, hidden.text);
  });
  return { text: applySplices(value, splices), blocked };
}

const MAY_PACK = /[A-Za-z0-9+/_-]{16}/;

/**
 * The edits that hide values in a response by its meaning: in its text, its reasoning and the arguments of its calls, each of
 * which may be streamed in chunks that contain no whole value.
 */
export function hideInResponse(
  { index: interaction, response }: Interaction,
  substitution: Substitution,
): TapeResponseEdit[] {
  if (response === undefined) return [];
  const hidden = (text: string | null | undefined): string | undefined => {
    const changed = hideValues(text ?? '', substitution).text;
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
export interface FileSplices {
  readonly splices: readonly Splice[];
  readonly blocked: readonly Span[];
}

/** Hides values in the text of a file: in the strings and keys of JSON and YAML, and anywhere in other files. */
export function hideInFile(file: TapeFile, substitution: Substitution): FileSplices {
  const documents = readDocuments(file);
  if (documents.roots.length === 0 || documents.problems.length > 0)
    return { splices: substitution.splices(file.text, 0), blocked: [] };
  const hiding = new Hiding(file, documents.syntax, substitution);
  for (const { node, offset } of documents.roots) hiding.visit(node, offset, undefined);
  return hiding;
}

class Hiding implements FileSplices {
  readonly splices: Splice[] = [];
  readonly blocked: Span[] = [];

  constructor(
    private readonly file: TapeFile,
    private readonly syntax: Documents['syntax'],
    private readonly substitution: Substitution,
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
    const { text, blocked } = hideValues(node.value, this.substitution);
    if (blocked) this.blocked.push(place);
    if (text === node.value) return;
    const isPlain = text === this.substitution.replace(node.value, isBase64(node.value));
    const inPlace = isPlain ? this.#inPlace(place, isBase64(node.value)) : [];
    const wanted = this.substitution.splices(node.value, 0, isBase64(node.value)).length;
    // Encoded strings, and strings that are folded or escaped in unexpected ways, are written anew.
    const splices = isPlain && inPlace.length === wanted ? inPlace : this.#written(node, place, text, member);
    if (splices === undefined) this.blocked.push(place);
    else this.splices.push(...splices);
  }

  #inPlace({ start, end }: Span, opaque: boolean): Splice[] {
    return this.substitution.splices(this.file.text.slice(start, end), start, opaque);
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
