import type { VNode } from 'preact';
import type { DiffPiece } from '../../../src/core/diff/diffText';
import { counted, grouped } from '../../../src/core/text/counts';
import { t } from '../../../src/core/text/l10n';
import type { DescribedChange } from '../../../src/core/transcript/describeSilentChange';
import { Icon } from '../../base/icon';
import { TextDiff } from '../message/diffText';
import { useActions } from '../state/actions';
import type { Mode, Opened } from '../state/viewState';

interface SilentChangesProps {
  /** How many changes there are, known before the changes are loaded. */
  readonly count: number;
  readonly changes: readonly DescribedChange[] | undefined;
  readonly entryKey: string;
  readonly mode: Mode;
  readonly opened: Opened | undefined;
}

/** The others are one click away. */
const MAX_SHOWN = 6;

/** Silent changes: differences in the part of a request that repeats the conversation so far. */
export function SilentChanges({ count, changes, entryKey, mode, opened }: SilentChangesProps): VNode {
  const actions = useActions();
  const open = (part: string, isOpen: boolean): void =>
    actions.change({ type: 'open', key: entryKey, parts: [part], open: isOpen });
  const all = opened?.changes ?? mode === 'verbose';
  const shown = all ? (changes ?? []) : (changes ?? []).slice(0, MAX_SHOWN);
  const countText = counted(count, '{0} silent change', '{0} silent changes');
  return (
    <ul class="changes" aria-label={countText}>
      {shown.map((change, index) => {
        const id = `change${index}`;
        const isOpen = opened?.[id] ?? mode === 'verbose';
        return <SilentChange key={id} change={change} open={isOpen} onToggle={() => open(id, !isOpen)} />;
      })}
      {changes === undefined && <li class="change quiet">{countText}</li>}
      {shown.length < (changes?.length ?? 0) && (
        <li>
          <button type="button" class="link show-all" onClick={() => open('changes', true)}>
            {t('Show all {0} changes', grouped(count))}
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

function SilentChange({ change: { title, since, uncached, diff }, open, onToggle }: SilentChangeProps): VNode {
  return (
    <li class="change">
      <button type="button" class="change-head" aria-expanded={open} onClick={onToggle}>
        <Icon name="warning" />
        <span>{title}</span>
        {since !== undefined && <span class="quiet">{t('since #{0}', since + 1)}</span>}
        {uncached !== undefined && (
          <span class="quiet" title={t("The provider's cache ends here")}>
            {counted(uncached, '~{0} token not from cache', '~{0} tokens not from cache')}
          </span>
        )}
        <span class="change-size">{sizeText(diff)}</span>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
      </button>
      {open && <TextDiff diff={diff} />}
    </li>
  );
}

/** The words that were added and removed, such as "+3 −1". */
function sizeText(diff: readonly DiffPiece[]): string {
  const words = (type: 'added' | 'removed'): number =>
    diff.reduce((sum, part) => sum + (part.type === type ? (part.text.match(/\S+/g) ?? []).length : 0), 0);
  const added = words('added');
  const removed = words('removed');
  return [added > 0 ? `+${added}` : '', removed > 0 ? `\u2212${removed}` : ''].join(' ').trim();
}
