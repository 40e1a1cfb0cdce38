import type { VNode } from 'preact';
import type { MessageExtra } from '../../src/core/transcript/messageExtras';
import { Icon } from '../base/icon';
import { Markdown } from '../base/markdown';
import { parseMarkdown } from '../base/markdownTree';
import { Media } from '../base/media';
import { useActions } from './actions';
import { FoldedCode } from './foldedCode';
import type { MessageBodyProps } from './messageBody';
import { toolLines } from './modes';
import { previewText } from './previewText';

interface AsideCardProps extends MessageBodyProps {
  readonly aside: MessageExtra;
  /** What the card is called in `Opened` and in part ids, such as `aside0`. */
  readonly id: string;
}

/** Reasoning, an image, a search of the provider: one line, and its content on demand. */
export function AsideCard({ aside, id, view, entry, mode, opened, onOpen }: AsideCardProps): VNode {
  const open = opened?.[id] ?? (mode === 'verbose' || (mode === 'normal' && aside.media !== undefined));
  const { openLink } = useActions();
  const part = `${id}.text`;
  return (
    <div class={`aside ${open ? 'open' : 'closed'}`}>
      <button type="button" class="aside-head" aria-expanded={open} onClick={() => onOpen(id, !open)}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        <span class="aside-label">{aside.label}</span>
        {!open && <span class="preview">{previewText(aside.text)}</span>}
      </button>
      {open && (
        <div class="aside-body">
          <Media media={aside.media} label={aside.label} />
          {aside.label === 'Reasoning' ? (
            <div class="reasoning" data-part={part}>
              <Markdown nodes={parseMarkdown(aside.text)} onLink={openLink} />
            </div>
          ) : (
            <FoldedCode
              view={view}
              entry={entry}
              part={part}
              text={aside.text}
              maxLines={toolLines(mode)}
              open={opened?.[part] ?? false}
              onOpen={() => onOpen(part, true)}
            />
          )}
        </div>
      )}
    </div>
  );
}
