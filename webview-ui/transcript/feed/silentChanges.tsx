import type { VNode } from 'preact';
import type { DiffPiece } from '../../../src/core/diff/diffText';
import type { DescribedChange } from '../../../src/core/transcript/describeSilentChange';
import { Icon } from '../../base/icon';
import { TextDiff } from '../message/diffText';
import { useActions } from '../state/actions';
import type { Mode, Opened } from '../state/viewState';

interface SilentChangesProps {
  /** How many there are, known before they are. */
  readonly count: number;
  readonly changes: readonly DescribedChange[] | undefined;
  readonly entryKey: string;
  readonly mode: Mode;
  readonly opened: Opened | undefined;
}

/** More of one interaction are a click away. */
const MAX_SHOWN = 6;

/** What silently changed in the part of a request that repeats the conversation so far. */
export function SilentChanges({ count, changes, entryKey, mode, opened }: SilentChangesProps): VNode {
  const { change: act } = useActions();
  const open = (what: string, isOpen: boolean): void =>
    act({ type: 'open', key: entryKey, whats: [what], open: isOpen });
  const all = opened?.changes ?? mode === 'verbose';
  const shown = all ? (changes ?? []) : (changes ?? []).slice(0, MAX_SHOWN);
  return (
    <ul class="changes" aria-label={`${count} silent ${count === 1 ? 'change' : 'changes'}`}>
      {shown.map((change, index) => {
        const id = `change${index}`;
        const isOpen = opened?.[id] ?? mode === 'verbose';
        return <SilentChange key={id} change={change} open={isOpen} onToggle={() => open(id, !isOpen)} />;
      })}
      {changes === undefined && <li class="change quiet">{count} silent changes</li>}
      {shown.length < (changes?.length ?? 0) && (
        <li>
          <button type="button" class="link show-all" onClick={() => open('changes', true)}>
            Show all {count} changes
          </button>
        </li>
      )}
    </ul>
  );
}

interface SilentChangeProps {
  readonly change: DescribedChange;
  readonly open: boolean;
  onToggle(): void;
}

function SilentChange({ change: { title, since, diff }, open, onToggle }: SilentChangeProps): VNode {
  return (
    <li class="change">
      <button type="button" class="change-head" aria-expanded={open} onClick={onToggle}>
        <Icon name="warning" />
        <span>{title}</span>
        {since !== undefined && <span class="quiet">since #{since + 1}</span>}
        <span class="change-size">{sizeText(diff)}</span>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
      </button>
      {open && <TextDiff diff={diff} />}
    </li>
  );
}

/** "+3 −1" words. */
function sizeText(diff: readonly DiffPiece[]): string {
  const words = (type: 'added' | 'removed'): number =>
    diff.reduce((sum, part) => sum + (part.type === type ? (part.text.match(/\S+/g) ?? []).length : 0), 0);
  const [added, removed] = [words('added'), words('removed')];
  return [added > 0 ? `+${added}` : '', removed > 0 ? `\u2212${removed}` : ''].join(' ').trim();
}
