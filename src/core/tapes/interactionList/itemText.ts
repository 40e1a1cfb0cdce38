import { stringifyLike } from '../../json/editJson';
import type { Json } from '../../json/json';
import { writeYaml } from '../../yaml/writeYaml';
import type { InteractionList } from './interactionList';

/** An item as its format's own recorder writes it, or only its value. */
export interface ListItem {
  readonly text?: string;
  readonly value?: Json;
}

/** The text of an item in the layout of another one of the list; undefined where the list cannot have it. */
export function itemTextIn({ layout }: InteractionList, { text, value }: ListItem, like: string): string | undefined {
  switch (layout) {
    case 'json':
      return value === undefined ? undefined : stringifyLike(value, like);
    case 'yaml': {
      const lines = text ?? (value === undefined ? undefined : yamlItem(value));
      return lines?.trimStart().startsWith('- ') ? indentedLike(like, lines) : undefined;
    }
    case 'documents':
    case 'lines':
      return text === undefined ? undefined : withLineEndsOf(like, text);
    case 'records':
      return text;
  }
}

/** Includes its dash. */
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

/** Text with the indentation and line ends of another item. */
export function indentedLike(like: string, text: string): string {
  const indentation = (item: string): string => /^ */.exec(item)?.[0] ?? '';
  const wanted = indentation(like);
  const own = indentation(text).length;
  const lines = text.split('\n').map((line) => (line.trim() === '' ? line : wanted + line.slice(own)));
  return withLineEndsOf(like, lines.join('\n'));
}
