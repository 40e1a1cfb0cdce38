import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { t } from '../../../src/core/text/l10n';
import { foldText } from '../../base/fold';
import { Icon } from '../../base/icon';
import { Markdown } from '../../base/markdown';
import { parseMarkdown } from '../../base/markdownTree';
import { PlayableText } from '../playback/playedText';
import { useActions } from '../state/actions';
import { textLines, toolLines } from '../state/readingMode';
import { ExtraCard, type MessageBodyProps, ToolCallCard } from './cards';
import { FoldedCode, RemainingText, ShowAll } from './foldedCode';

/** The text, the tool calls and the error of a message. */
export function MessageBody(props: MessageBodyProps): VNode {
  const { entry } = props;
  const { text, toolCalls, error, extras = [], missing } = entry;
  const isEmpty = text === '' && toolCalls.length === 0 && extras.length === 0 && error === undefined;
  return (
    <div class="message-body">
      {extras.map((extra, index) => (
        <ExtraCard key={index} {...props} id={`extra${index}`} extra={extra} />
      ))}
      {text !== '' &&
        (props.view.summary.playable ? (
          <PlayableText {...props} whole={<MessageText {...props} />} />
        ) : (
          <MessageText {...props} />
        ))}
      {toolCalls.map((call, index) => (
        <ToolCallCard key={index} {...props} id={`call${index}`} call={call} />
      ))}
      {error !== undefined && (
        <p class="message-error">
          <Icon name="error" />
          <span data-part="error">{error}</span>
        </p>
      )}
      {isEmpty && <p class="quiet">{missing ? t('No response on this tape') : t('Empty')}</p>}
    </div>
  );
}

function MessageText({ view, entry, mode, opened, onOpen }: MessageBodyProps): VNode {
  const { openLink } = useActions();
  const open = opened?.text ?? false;
  const isTool = entry.role === 'tool';
  const { shown, label } = useMemo(
    () => (open || isTool ? { shown: entry.text } : foldText(entry.text, textLines(mode))),
    [entry, open, isTool, mode],
  );
  const nodes = useMemo(() => (isTool ? [] : parseMarkdown(shown)), [shown, isTool]);
  const showAll = (): void => onOpen('text', true);
  const more = label === undefined && <RemainingText view={view} part="text" entry={entry} shown={entry.text.length} />;
  if (isTool)
    return (
      <FoldedCode
        view={view}
        entry={entry}
        open={open}
        part="text"
        text={entry.text}
        maxLines={toolLines(mode)}
        onOpen={showAll}
      />
    );
  return (
    <>
      <div data-part="text">
        <Markdown nodes={nodes} onLink={(url) => openLink({ url })} />
      </div>
      {label !== undefined && <ShowAll label={label} onOpen={showAll} />}
      {more}
    </>
  );
}
