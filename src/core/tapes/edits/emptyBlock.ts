import type { Json } from '../../json/json';
import { jsonValue } from '../../json/jsonDocument';
import { printLike } from '../../json/printLike';
import { writeYaml } from '../../yaml/writeYaml';
import type { Interaction } from '../tape';
import { type TapeFile, textFile } from '../tapeFile';
import type { TapeFormat } from '../tapeFormat';
import { emptyInteraction } from './emptyInteraction';
import { type InteractionList, interactionList } from './interactionList';

/** An item, as its format's own recorder writes it, or as a value only. */
interface NewItem {
  readonly text?: string;
  readonly value?: Json;
}

/**
 * The text of an empty interaction, for the list that another one stands in, laid out like that one; undefined where the
 * format has none.
 */
export function emptyBlock(
  format: TapeFormat,
  file: TapeFile,
  list: InteractionList,
  like: Interaction,
): string | undefined {
  const item = newItem(format, file, like);
  if (item === undefined) return undefined;
  const own = list.blocks.find(({ start, end }) => start <= like.source.start && end > like.source.start);
  const ownText = own === undefined ? '' : file.text.slice(own.start, own.end);
  return textIn(list, item, ownText);
}

function newItem(format: TapeFormat, file: TapeFile, like: Interaction): NewItem | undefined {
  if (format.emptyItem !== undefined) {
    const value = format.emptyItem(file, like.index);
    return value === undefined ? undefined : { value };
  }
  const empty = emptyInteraction(like);
  const text = empty && format.serialise?.('', [empty]);
  if (text === undefined) return undefined;
  const written = format.read(textFile(text));
  const last = written.interactions.length - 1;
  const list = interactionList(text, written, last);
  const [block, node] = [list?.blocks.at(-1), list?.nodes.at(-1)];
  if (block === undefined) return undefined;
  return { text: text.slice(block.start, block.end), ...(node === undefined ? {} : { value: jsonValue(node) }) };
}

function textIn({ layout }: InteractionList, { text, value }: NewItem, like: string): string | undefined {
  switch (layout) {
    case 'json':
      return value === undefined ? undefined : printLike(value, like);
    case 'yaml': {
      const lines = text ?? (value === undefined ? undefined : yamlItem(value));
      return lines?.trimStart().startsWith('- ') ? indentedLike(like, lines) : undefined;
    }
    case 'documents':
      return text === undefined ? undefined : withLineEndsOf(like, text);
    case 'lines':
    case 'records':
      return text;
  }
}

/** With its dash. */
function yamlItem(value: Json): string {
  const [, ...lines] = writeYaml(
    { items: [value] },
    { width: 80, plainness: 'ascii', binaryColumns: 76, binaryTag: '!!binary |' },
  )
    .trimEnd()
    .split('\n');
  return lines.join('\n');
}

function withLineEndsOf(like: string, text: string): string {
  return like.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
}

/** Lines that begin and end as those of another item do. */
export function indentedLike(like: string, text: string): string {
  const [own, wanted] = [text, like].map((item) => /^ */.exec(item)?.[0] ?? '');
  const lines = text
    .split('\n')
    .map((line) => (line.trim() === '' ? line : (wanted ?? '') + line.slice(own?.length ?? 0)));
  return withLineEndsOf(like, lines.join('\n'));
}
