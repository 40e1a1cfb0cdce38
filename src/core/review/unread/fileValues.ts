import { nonBlankLines } from '../../json/jsonLines';
import type { JsonNode } from '../../json/jsonNode';
import type { JsonPath } from '../../json/jsonPath';
import { readJson } from '../../json/readJson';
import { readDocuments } from '../../tapes/documents';
import type { TapeFile } from '../../tapes/tapeFile';
import type { Span } from '../../text/source';
import type { RecordedTape } from '../recordings';
import { tapeLayout } from '../tapeLayout';

/** A value of a file, whatever its format makes of it. */
export interface FileValue {
  readonly node: JsonNode;
  /** Is added to the positions of the node. */
  readonly offset: number;
  /** From the top of the file. */
  readonly path: JsonPath;
  /** The value is a piece of the text itself, where that is neither JSON nor YAML. */
  readonly isText?: true;
}

/** The values of a file, by what they belong to. */
export interface FileValues {
  /** Of each interaction, by its place on the tape. */
  readonly interactions: readonly (readonly FileValue[])[];
  /** Around the interactions; everything, where these do not follow each other in the text. */
  readonly around: readonly FileValue[];
  /** They are pieces of the text, which is neither JSON nor YAML. */
  readonly isText: boolean;
}

/** The values of two versions of a file; texts, unless both can be read as a whole. */
export function valuesOfVersions(before: RecordedTape, after: RecordedTape): readonly [FileValues, FileValues] {
  const [old, now] = [valuesOf(before, false), valuesOf(after, false)];
  return old === undefined || now === undefined ? [textsOf(before), textsOf(after)] : [old, now];
}

/** Undefined where values are wanted, and the text is not understood as a whole. */
export function valuesOf(tape: RecordedTape, isText: boolean): FileValues | undefined {
  if (isText) return textsOf(tape);
  const roots = treesOf(tape.file);
  return roots && sortedValues(roots, tape);
}

/** Undefined for a text that is not understood as a whole. */
function treesOf(file: TapeFile): readonly FileValue[] | undefined {
  const { syntax, roots, problems } = readDocuments(file);
  if (syntax === 'other' || problems.length > 0) return undefined;
  if (syntax === 'json-lines') return nonBlankLines(file.text).map((line, at) => lineValue(file.text, line, [at]));
  return roots.map((root, at) => ({ ...root, path: roots.length > 1 ? [at] : [] }));
}

function lineValue(text: string, line: Span, path: JsonPath): FileValue {
  const { value: node, problems } = readJson(text.slice(line.start, line.end));
  return node === undefined || problems.length > 0 ? textValue(text, line, path) : { node, offset: line.start, path };
}

export function textValue(text: string, { start, end }: Span, path: JsonPath = []): FileValue {
  return { node: { type: 'string', value: text.slice(start, end), start, end }, offset: 0, path, isText: true };
}

function textsOf({ file: { text }, tape }: RecordedTape): FileValues {
  if (tapeLayout(text, tape.interactions) === undefined)
    return { interactions: [], around: [textValue(text, { start: 0, end: text.length })], isText: true };
  const sources = tape.interactions.map(({ source }) => source);
  const ends = [...sources.map(({ start }) => start), text.length];
  const gaps = ends.map((end, at) => ({ start: sources[at - 1]?.end ?? 0, end }));
  return {
    interactions: sources.map((source) => [textValue(text, source)]),
    around: gaps
      .map((gap) => textValue(text, gap))
      .filter(({ node }) => node.type === 'string' && /\S/.test(node.value)),
    isText: true,
  };
}

function sortedValues(roots: readonly FileValue[], { file, tape }: RecordedTape): FileValues {
  if (tapeLayout(file.text, tape.interactions) === undefined) return { interactions: [], around: roots, isText: false };
  const sorter = new ValueSorter(tape.interactions.map(({ source }) => source));
  const around = roots.flatMap((root) => {
    const node = sorter.outside(root);
    return node === undefined ? [] : [{ ...root, node }];
  });
  return { interactions: sorter.inside, around, isText: false };
}

/** Takes values apart by the spans that they stand in, which follow each other. */
class ValueSorter {
  /** The values within each span. */
  readonly inside: readonly FileValue[][];

  constructor(private readonly spans: readonly Span[]) {
    this.inside = spans.map(() => []);
  }

  /** The value without what is within a span; undefined if all of it is. */
  outside(value: FileValue): JsonNode | undefined {
    const { node, offset, path } = value;
    const [start, end] = [offset + node.start, offset + node.end];
    const at = this.#firstEndingAfter(start);
    const span = this.spans[at];
    if (span === undefined || span.start >= end) return node;
    if (span.start <= start && end <= span.end) {
      this.inside[at]?.push(value);
      return undefined;
    }
    const rest = (inner: JsonNode, key: string | number) => this.outside({ node: inner, offset, path: [...path, key] });
    const place = { start: node.start, end: node.end };
    if (node.type === 'array')
      return { type: 'array', items: node.items.flatMap((item, index) => rest(item, index) ?? []), ...place };
    if (node.type !== 'object') return node;
    const members = node.members.flatMap(({ key, keySpan, value: inner }) => {
      const left = rest(inner, key);
      return left === undefined ? [] : [{ key, keySpan, value: left }];
    });
    return { type: 'object', members, ...place };
  }

  #firstEndingAfter(offset: number): number {
    let [low, high] = [0, this.spans.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.spans[middle]?.end ?? 0) > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
