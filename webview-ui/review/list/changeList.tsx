import type { RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ReviewedChange } from '../../../src/contracts/engine/review';
import { grouped } from '../../../src/core/text/counts';
import { message, t } from '../../../src/core/text/l10n';
import { Icon } from '../../base/icon';
import { type ChangeGist, gistOf } from '../diff/changeGist';
import { changeRows, type ListRange, type ListRow, offsetsOf, ROW_HEIGHTS, rowsBetween } from './changeRows';

/** Lists of so few rows are rendered whole. */
const FEW = 100;
/** Pixels rendered above and below the visible rows. */
const OVERSCAN = 300;

interface ShownRows extends ListRange {
  /** The heights of the rows before and after them, in pixels. */
  readonly above: number;
  readonly below: number;
}

/** The rows of a scrolling list that have to be on the page. Scrolls to `selected` when it changes. */
function useRowRange(
  list: RefObject<HTMLElement | null>,
  rows: readonly ListRow[],
  selected: string | undefined,
): ShownRows {
  const [view, setView] = useState({ top: 0, height: 800 });
  const offsets = useMemo(() => offsetsOf(rows.length, (index) => ROW_HEIGHTS[rows[index]?.type ?? 'change']), [rows]);

  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);

  useEffect(() => {
    const element = list.current;
    const index = rows.findIndex(({ key }) => key === selected);
    if (element === null || index === -1) return;
    const start = offsets[index] ?? 0;
    const end = offsets[index + 1] ?? 0;
    if (start < element.scrollTop) element.scrollTop = Math.max(0, start - ROW_HEIGHTS.interaction);
    else if (end > element.scrollTop + element.clientHeight) element.scrollTop = end - element.clientHeight;
  }, [selected, rows]);

  if (rows.length <= FEW) return { start: 0, end: rows.length, above: 0, below: 0 };
  const { start, end } = rowsBetween(offsets, view.top - OVERSCAN, view.top + view.height + OVERSCAN);
  const total = offsets[rows.length] ?? 0;
  return { start, end, above: offsets[start] ?? 0, below: total - (offsets[end] ?? total) };
}

interface ChangeListProps {
  readonly changes: readonly ReviewedChange[];
  readonly selected: string | undefined;
  /** The ids of the changes that were viewed. */
  readonly viewed: ReadonlySet<string>;
  /** False in a comparison, where nothing is pending. */
  readonly isReview: boolean;
  readonly canDecide: boolean;
  onSelect(id: string): void;
  onAccept(ids: readonly string[]): void;
}

/** All changes with their decisions. Of thousands, only those in view are on the page. */
export function ChangeList(props: ChangeListProps): VNode {
  const { changes, selected, viewed, isReview, canDecide, onSelect, onAccept } = props;
  const list = useRef<HTMLElement>(null);
  const rows = useMemo(() => changeRows(changes), [changes]);
  const { start, end, above, below } = useRowRange(list, rows, selected);
  const rowOf = (row: ListRow): VNode =>
    row.type === 'interaction' ? (
      <InteractionRow key={row.key} title={row.title} canDecide={canDecide} onAccept={() => onAccept(row.ids)} />
    ) : (
      <ChangeRow
        key={row.key}
        change={row.change}
        isSelected={row.key === selected}
        isViewed={viewed.has(row.key)}
        isReview={isReview}
        onSelect={() => onSelect(row.key)}
      />
    );
  return (
    <nav class="change-list" aria-label={t('Changes')} ref={list}>
      <ul style={{ paddingTop: `${above}px`, paddingBottom: `${below}px` }}>{rows.slice(start, end).map(rowOf)}</ul>
    </nav>
  );
}

interface InteractionRowProps {
  readonly title: string;
  readonly canDecide: boolean;
  onAccept(): void;
}

function InteractionRow({ title, canDecide, onAccept }: InteractionRowProps): VNode {
  const label = t('Accept All in {0}', title);
  return (
    <li class="interaction-row quiet">
      <span>{title}</span>
      {canDecide && (
        <button type="button" class="button-quiet" aria-label={label} title={`${label} (I)`} onClick={onAccept}>
          <Icon name="check" />
        </button>
      )}
    </li>
  );
}

interface ChangeRowProps {
  readonly change: ReviewedChange;
  readonly isSelected: boolean;
  readonly isViewed: boolean;
  readonly isReview: boolean;
  onSelect(): void;
}

function ChangeRow({ change, isSelected, isViewed, isReview, onSelect }: ChangeRowProps): VNode {
  const { before, after, decision, title, deferred } = change;
  const { preview, size } = useMemo(() => gistOf(change), [before, after, deferred]);
  const pendingState = isViewed ? 'viewed' : 'pending';
  const state = decision === 'open' ? pendingState : decision;
  return (
    <li>
      <button type="button" class={`change ${state}`} aria-current={isSelected} title={title} onClick={onSelect}>
        <span class="mark">
          <Mark state={state} />
        </span>
        <span class="title">{title}</span>
        <span class="visually-hidden">{isReview || isViewed ? t(STATES[state]) : t(', ')}</span>
        <span class="size quiet">{extentText(change, size)}</span>
        <span class="preview quiet">{preview}</span>
      </button>
    </li>
  );
}

/** Read between the title of a change and its details. */
const STATES = {
  pending: message(', pending, '),
  viewed: message(', viewed, '),
  accepted: message(', accepted, '),
  rejected: message(', rejected, '),
} as const;

function Mark({ state }: { readonly state: string }): VNode {
  if (state === 'rejected') return <Icon name="close" />;
  if (state === 'accepted') return <Icon name="check" />;
  return <span class="dot" />;
}

/** How far a change reaches: the number of its places, or else its lines. The preview shows a single line whole. */
function extentText({ repeats }: Pick<ReviewedChange, 'repeats'>, size: ChangeGist['size']): string {
  if (repeats.length > 0) return t('in {0} places', grouped(repeats.length + 1));
  const { added = 0, removed = 0 } = size ?? {};
  if (Math.max(added, removed) < 2) return '';
  return [added > 0 && `+${added}`, removed > 0 && `−${removed}`].filter(Boolean).join(' ');
}
