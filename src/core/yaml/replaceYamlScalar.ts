import type { JsonMember, JsonStringNode } from '../json/jsonNode';
import type { Splice } from '../text/splice';
import { type ScalarPlace, writeYamlBinary, writeYamlString } from './writeYamlScalar';

/** The layout of scalars by a writer of YAML. */
export interface YamlWriter extends Pick<ScalarPlace, 'width' | 'plainness'> {
  /** The indentation of a scalar relative to its key. */
  readonly step: number;
  /** The column at which base64 is wrapped. */
  readonly binaryColumns: number;
}

/**
 * Replaces the string, or the base64 of a binary value, of a member of a block mapping, keeping its tag and style.
 * Undefined if the member is not a string.
 */
export function replaceMemberString(
  source: string,
  { keySpan, value: node }: JsonMember,
  value: string,
  writer: YamlWriter,
): Splice | undefined {
  return node.type === 'string' ? replaceAt(source, node, columnOf(source, keySpan.start), value, writer) : undefined;
}

/** Replaces any string on the line of its key or dash, where all writers of YAML put it. */
export function replaceYamlString(source: string, node: JsonStringNode, value: string, writer: YamlWriter): Splice {
  const lineStart = source.lastIndexOf('\n', node.start - 1) + 1;
  const [prefix = ''] = /^ *(?:- +)*/.exec(source.slice(lineStart, node.start)) ?? [];
  return replaceAt(source, node, prefix.length, value, writer);
}

function replaceAt(source: string, node: JsonStringNode, keyColumn: number, value: string, writer: YamlWriter): Splice {
  const { start, end } = node;
  const replaced = source.slice(start, end);
  const indent = indentOf(replaced, keyColumn) ?? keyColumn + writer.step;
  const place = {
    indent,
    step: indent - keyColumn,
    column: columnOf(source, start),
    lineEnd: source.includes('\r\n') ? '\r\n' : '\n',
    ...(writer.width === undefined ? {} : { width: writer.width }),
    ...(writer.plainness === undefined ? {} : { plainness: writer.plainness }),
  };
  const token = node.binary
    ? writeYamlBinary(value, replaced, place, writer.binaryColumns)
    : writeYamlString(value, replaced, isUnfolded(node.value, replaced, place) ? unfolded(place) : place);
  // At the end of a file, a block may have no final line feed.
  const text = /^[|>]/.test(replaced) && !replaced.endsWith('\n') ? token.replace(/\r?\n$/, '') : token;
  return { start, end, text };
}

/** Whether a text is on one line although its writer would have wrapped it, so that another program wrote it. */
function isUnfolded(value: string, replaced: string, place: ScalarPlace): boolean {
  if (/^[|>]/.test(replaced) || place.width === undefined || replaced.length < place.width / 2) return false;
  return !replaced.includes('\n') && writeYamlString(value, replaced, place).includes('\n');
}

function unfolded({ width: _, ...place }: ScalarPlace): ScalarPlace {
  return place;
}

function columnOf(source: string, offset: number): number {
  return offset - (source.lastIndexOf('\n', offset - 1) + 1);
}

/** The indentation of the lines of a token; undefined if no line shows it. */
function indentOf(token: string, keyColumn: number): number | undefined {
  const hint = /^[|>][-+]?([1-9])/.exec(token)?.[1];
  if (hint !== undefined) return keyColumn + Number(hint);
  const line = /\n( *)[^ \r\n]/.exec(token)?.[1];
  return line?.length;
}
