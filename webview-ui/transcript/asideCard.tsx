import type { VNode } from 'preact';
import type { TranscriptAside } from '../../src/core/transcript/asides';
import { Icon } from '../base/icon';
import { FoldedCode } from './foldedCode';
import { Media } from './media';
import type { MessageBodyProps } from './messageBody';
import { toolLines } from './modes';

interface AsideCardProps extends MessageBodyProps {
  readonly aside: TranscriptAside;
  /** What the card is called in `Opened` and in part ids, such as `aside0`. */
  readonly id: string;
}

/** Reasoning, an image, a search of the provider: one line, and its content on demand. */
export function AsideCard({ aside, id, view, entry, mode, opened, onOpen }: AsideCardProps): VNode {
  const open = opened?.[id] ?? (mode === 'verbose' || (mode === 'normal' && aside.media !== undefined));
  const part = `${id}.text`;
  return (
    <div class={`tool-call ${open ? 'open' : 'closed'}`}>
      <button type="button" class="tool-call-head" aria-expanded={open} onClick={() => onOpen(id, !open)}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        <span class="aside-label">{aside.label}</span>
        {!open && <span class="preview">{aside.text.slice(0, 400).replace(/\s+/g, ' ')}</span>}
      </button>
      {open && (
        <div class="tool-call-body">
          <Media media={aside.media} label={aside.label} />
          <FoldedCode
            view={view}
            entry={entry}
            part={part}
            text={aside.text}
            maxLines={toolLines(mode)}
            open={opened?.[part] ?? false}
            onOpen={() => onOpen(part, true)}
          />
        </div>
      )}
    </div>
  );
}
