import type { VNode } from 'preact';
import type { MessageExtra } from '../../../src/core/transcript/messageExtras';
import { Icon } from '../../base/icon';
import { Media } from '../../base/media';
import { FoldedCode } from '../message/foldedCode';
import { useActions } from '../state/actions';
import { toolLines } from '../state/readingMode';
import type { Mode, Opened } from '../state/viewState';

interface DetailListProps {
  readonly details: readonly MessageExtra[];
  readonly entryKey: string;
  readonly mode: Mode;
  readonly opened: Opened | undefined;
}

/** The parts of an interaction that are not messages. Each is one line until it is opened. */
export function DetailList({ details, entryKey, mode, opened }: DetailListProps): VNode {
  const { change } = useActions();
  const open = (part: string, isOpen: boolean): void =>
    change({ type: 'open', key: entryKey, parts: [part], open: isOpen });
  return (
    <div class="details">
      {details.map((detail, index) => {
        const id = `detail${index}`;
        const isOpen = opened?.[id] ?? detail.media !== undefined;
        return (
          <div key={id} class="detail">
            <button type="button" class="detail-head" aria-expanded={isOpen} onClick={() => open(id, !isOpen)}>
              <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
              <span>{detail.label}</span>
            </button>
            {isOpen && (
              <div class="detail-body">
                <Media media={detail.media} label={detail.label} />
                <FoldedCode
                  part={`${id}.text`}
                  text={detail.text}
                  maxLines={toolLines(mode) * 2}
                  open={opened?.[`${id}.text`] ?? false}
                  onOpen={() => open(`${id}.text`, true)}
                />
              </div>
            )}
          </div>
        );
      })}
    </div>
  );
}
