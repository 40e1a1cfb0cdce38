import type { VNode } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { ReviewedChange } from '../../src/protocol/review';
import { Icon } from '../base/icon';
import { changeGist } from './plainDiff';

export interface ChangeListProps {
  readonly changes: readonly ReviewedChange[];
  readonly selected: string | undefined;
  onSelect(id: string): void;
}

/** What there is to review, and what of it is decided. */
export function ChangeList({ changes, selected, onSelect }: ChangeListProps): VNode {
  return (
    <nav class="change-list" aria-label="Changes">
      <ul>
        {changes.map((change) => (
          <ChangeRow
            key={change.id}
            change={change}
            isSelected={change.id === selected}
            onSelect={() => onSelect(change.id)}
          />
        ))}
      </ul>
    </nav>
  );
}

interface ChangeRowProps {
  readonly change: ReviewedChange;
  readonly isSelected: boolean;
  onSelect(): void;
}

function ChangeRow({ change, isSelected, onSelect }: ChangeRowProps): VNode {
  const row = useRef<HTMLButtonElement>(null);
  const { before, after, decision, title } = change;
  const { preview, size } = useMemo(() => changeGist(before, after), [before, after]);
  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  return (
    <li>
      <button type="button" class={`change ${decision}`} aria-current={isSelected} onClick={onSelect} ref={row}>
        <span class="mark">{decision === 'rejected' ? <Icon name="close" /> : <span class="dot" />}</span>
        <span class="title">{title}</span>
        <span class="visually-hidden">{decision === 'rejected' ? ', rejected, ' : ', open, '}</span>
        {size && <Size added={size.added} removed={size.removed} />}
        <span class="preview quiet">{preview}</span>
      </button>
    </li>
  );
}

function Size({ added, removed }: { readonly added: number; readonly removed: number }): VNode {
  return (
    <span class="size quiet">{[added > 0 && `+${added}`, removed > 0 && `−${removed}`].filter(Boolean).join(' ')}</span>
  );
}
