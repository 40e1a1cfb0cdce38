import type { TranscriptEntry } from '../../src/core/transcript/transcript';
import { formatJson } from '../base/jsonText';
import { type MarkdownNode, markdownText, parseMarkdown } from '../base/markdownTree';

/** A text of an entry, as the reader sees it: what a search looks through and where it points. */
export interface Part {
  readonly id: string;
  readonly text: string;
}

const markdowns = new WeakMap<TranscriptEntry, readonly MarkdownNode[]>();
const parts = new WeakMap<TranscriptEntry, readonly Part[]>();

/** The message's text as markdown; parsed once. */
export function markdownOf(entry: TranscriptEntry): readonly MarkdownNode[] {
  return remembered(markdowns, entry, () => parseMarkdown(entry.text));
}

/** Everything there is to read in an entry, in the order it is shown; put together once. */
export function partsOf(entry: TranscriptEntry): readonly Part[] {
  return remembered(parts, entry, () =>
    [
      ...(entry.asides ?? []).map(({ text }, index) => ({ id: `aside${index}.text`, text })),
      { id: 'text', text: markdownText(markdownOf(entry)) },
      ...entry.toolCalls.flatMap((call, index) => [
        { id: `call${index}.name`, text: call.name },
        { id: `call${index}.arguments`, text: call.arguments },
        { id: `call${index}.result`, text: resultText(call.result) },
      ]),
      { id: 'error', text: entry.error ?? '' },
    ].filter(({ text }) => text !== ''),
  );
}

/** A tool's result as it is shown: JSON laid out, anything else as it is. */
export function resultText(result: string | undefined): string {
  return result === undefined ? '' : (formatJson(result) ?? result);
}

/** What has to be open for a part to be seen whole, for `ViewState.opened`. */
export function openersOf(part: string): readonly string[] {
  const call = /^(?:call|aside)\d+(?=\.)/.exec(part)?.[0];
  return call === undefined ? ['entry', part] : ['entry', call, part];
}

function remembered<K extends object, V>(memory: WeakMap<K, V>, key: K, make: () => V): V {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const made = make();
  memory.set(key, made);
  return made;
}
