import type { JsonMember, JsonNode, JsonStringNode } from '../json/jsonDocument';
import { jsonStringSplices } from '../json/jsonStringSplices';
import { replaceText, textItem } from '../tapes/formats/replaceText';
import { jsonStrings } from '../tapes/formats/storedBody';
import type { TapeFile } from '../tapes/tapeFile';
import type { Span } from '../text/source';
import type { Splice } from '../text/splice';
import { type Documents, readDocuments } from '../verify/documents';
import { replaceYamlScalar } from '../yaml/replaceYamlString';
import { hideValues } from './hideValues';
import { isBase64 } from './packedString';
import type { Substitution } from './substitution';

/** What hides values in a file, and where they stand in what cannot be written. */
export interface FileSplices {
  readonly splices: readonly Splice[];
  readonly blocked: readonly Span[];
}

/** Hides values in the text of a file: in JSON and YAML in its strings and names, in all others wherever they stand. */
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
    // What is folded or escaped otherwise than expected is written anew, and what is packed.
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
    if (node.binary) return [replaceYamlScalar(source, node, text, { step: 2, binaryColumns: 76 })];
    const owner = member ?? textItem(source, node);
    const splice = owner && replaceText(source, 'yaml', owner, text);
    return splice && [splice];
  }
}
