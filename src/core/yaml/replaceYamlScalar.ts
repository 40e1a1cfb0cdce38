import type { JsonMember, JsonStringNode } from '../json/jsonNode';
import type { Splice } from '../text/splice';
import { type ScalarPlace, writeYamlBinary, writeYamlString } from './writeYamlScalar';

/** How a writer of YAML lays its scalars out. */
export interface YamlWriter extends Pick<ScalarPlace, 'width' | 'plainness'> {
  /** How far it indents a scalar beyond the key. */
  readonly step: number;
  /** Where it wraps the base64 of binary values. */
  readonly binaryColumns: number;
}

/**
 * Replaces the string (for a binary one: the base64) that is the value of a member of a block mapping, and nothing
 * else: its tag and its style stay. Undefined where the member has no string.
 */
export function replaceMemberString(
  source: string,
  { keySpan, value: node }: JsonMember,
  value: string,
  writer: YamlWriter,
): Splice | undefined {
  return node.type === 'string' ? replaceAt(source, node, columnOf(source, keySpan.start), value, writer) : undefined;
}

/** The same for any string that stands in the line of its key or of its dash, as all writers of YAML put it. */
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
  // At the end of a file a block may lack the line feed that ends it.
  const text = /^[|>]/.test(replaced) && !replaced.endsWith('\n') ? token.replace(/\r?\n$/, '') : token;
  return { start, end, text };
}

/** Is a text on one line that its writer would have broken? Then something else has written it. */
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

/** How far the lines of a token are indented; undefined where it has no line of which that can be told. */
function indentOf(token: string, keyColumn: number): number | undefined {
  const hint = /^[|>][-+]?([1-9])/.exec(token)?.[1];
  if (hint !== undefined) return keyColumn + Number(hint);
  const line = /\n( *)[^ \r\n]/.exec(token)?.[1];
  return line?.length;
}
