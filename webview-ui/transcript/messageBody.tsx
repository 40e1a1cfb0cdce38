import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { TranscriptEntry } from '../../src/core/transcript/transcript';
import { foldText } from '../base/fold';
import { Icon } from '../base/icon';
import { Markdown } from '../base/markdown';
import { parseMarkdown } from '../base/markdownTree';
import { useActions } from './actions';
import { AsideCard } from './asideCard';
import { FoldedCode, ShowAll } from './foldedCode';
import { textLines, toolLines } from './modes';
import { markdownOf } from './parts';
import { ToolCallCard } from './toolCallCard';
import type { Mode, Opened } from './viewState';

interface MessageBodyProps {
  readonly entry: TranscriptEntry;
  readonly mode: Mode;
  readonly opened: Opened | undefined;
  onOpen(what: string, open: boolean): void;
}

/** What a message says: its text, its tool calls, its error. */
export function MessageBody({ entry, mode, opened, onOpen }: MessageBodyProps): VNode {
  const { text, toolCalls, error, asides = [] } = entry;
  return (
    <div class="message-body">
      {asides.map((aside, index) => (
        <AsideCard key={index} id={`aside${index}`} aside={aside} mode={mode} opened={opened} onOpen={onOpen} />
      ))}
      {text !== '' && <MessageText entry={entry} mode={mode} opened={opened} onOpen={onOpen} />}
      {toolCalls.map((call, index) => (
        <ToolCallCard key={index} id={`call${index}`} call={call} mode={mode} opened={opened} onOpen={onOpen} />
      ))}
      {error !== undefined && (
        <p class="message-error">
          <Icon name="error" />
          <span data-part="error">{error}</span>
        </p>
      )}
      {text === '' && toolCalls.length === 0 && asides.length === 0 && error === undefined && (
        <p class="quiet">Empty</p>
      )}
    </div>
  );
}

function MessageText({ entry, mode, opened, onOpen }: MessageBodyProps): VNode {
  const { openLink } = useActions();
  const open = opened?.text ?? false;
  const isTool = entry.role === 'tool';
  const { shown, label } = useMemo(
    () => (open || isTool ? { shown: entry.text } : foldText(entry.text, textLines(mode))),
    [entry, open, isTool, mode],
  );
  const nodes = useMemo(() => (shown === entry.text ? markdownOf(entry) : parseMarkdown(shown)), [entry, shown]);
  const showAll = (): void => onOpen('text', true);
  if (isTool)
    return <FoldedCode part="text" text={entry.text} maxLines={toolLines(mode)} open={open} onOpen={showAll} />;
  return (
    <>
      <div data-part="text">
        <Markdown nodes={nodes} onLink={openLink} />
      </div>
      {label !== undefined && <ShowAll label={label} onOpen={showAll} />}
    </>
  );
}
