import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { InteractionSummary } from '../../../src/core/transcript/summary';
import { memo } from '../../base/memo';
import { formatCount, formatDuration } from '../../base/numbers';
import type { Row } from '../rows/rows';
import type { ScrollTarget } from '../rows/useVirtualRows';

interface TimelineProps {
  readonly rows: readonly Row[];
  go(goal: ScrollTarget): void;
}

/** More bars than this would be thinner than a pixel: neighbours share one. */
const MAX_BARS = 240;

/** One bar, of one interaction or of several neighbours. */
interface Bar {
  readonly key: string;
  readonly first: number;
  readonly value: number;
  readonly failed: boolean;
  readonly changed: boolean;
}

/** The interactions in their order, as tall as they took, in time or else in tokens. Each bar leads to its own. */
export const Timeline = memo(({ rows, go }: TimelineProps): VNode => {
  const { bars, isTime, most } = useMemo(() => barsOf(rows), [rows]);
  const [current, setCurrent] = useState(0);
  if (bars.length < 3 || most === 0) return <div hidden />;
  const tabStop = Math.min(current, bars.length - 1);
  return (
    <div class="timeline" role="toolbar" aria-label="Timeline" onKeyDown={onArrowKey}>
      {bars.map((bar, index) => {
        const told = describeBar(bar, isTime);
        return (
          <button
            key={bar.key}
            type="button"
            data-first={bar.first}
            tabIndex={index === tabStop ? 0 : -1}
            class={bar.failed ? 'bar bar-failed' : bar.changed ? 'bar bar-changed' : 'bar'}
            aria-label={told}
            title={told}
            onFocus={() => setCurrent(index)}
            onClick={() => go({ key: bar.key, offset: 12, arrived: (entry) => entry.focus({ preventScroll: true }) })}
          >
            <span style={{ height: `${Math.max(6, (bar.value / most) * 100)}%` }} />
          </button>
        );
      })}
    </div>
  );
});

/** Gives the focus to the bar of an interaction. False where there is no timeline. */
export function focusTimeline(interaction: number): boolean {
  const bars = [...document.querySelectorAll<HTMLElement>('.timeline .bar')];
  const bar = bars.findLast(({ dataset }) => Number(dataset.first) <= interaction) ?? bars[0];
  bar?.focus();
  return bar !== undefined;
}

/** One stop of the Tab key; arrows from bar to bar. */
function onArrowKey(event: KeyboardEvent): void {
  const bars = [...document.querySelectorAll<HTMLElement>('.timeline .bar')];
  const at = bars.findIndex((bar) => bar.matches(':focus'));
  const target = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: bars.length - 1 }[event.key];
  if (target === undefined) return;
  bars[Math.max(0, Math.min(bars.length - 1, target))]?.focus();
  event.preventDefault();
  event.stopPropagation();
}

function describeBar({ first, value, failed, changed }: Bar, isTime: boolean): string {
  const measure = isTime ? formatDuration(value) : `${formatCount(value)} tokens`;
  return [`#${first + 1}: ${measure}`, failed && 'failed', changed && 'something silently changed']
    .filter(Boolean)
    .join(', ');
}

function barsOf(rows: readonly Row[]): { bars: readonly Bar[]; isTime: boolean; most: number } {
  const heads = rows.flatMap(({ head, view }) =>
    head === undefined ? [] : [{ key: view.key, summary: head.summary }],
  );
  const isTime = heads.some(({ summary }) => summary.numbers.durationMs !== undefined);
  const share = Math.ceil(heads.length / MAX_BARS);
  const bars: Bar[] = [];
  for (let at = 0; at < heads.length; at += share) {
    const group = heads.slice(at, at + share);
    const [first] = group;
    if (first === undefined) break;
    bars.push({
      ...{ key: first.key, first: first.summary.index },
      value: Math.max(...group.map(({ summary }) => measureOf(summary, isTime))),
      failed: group.some(({ summary }) => summary.failed),
      changed: group.some(({ summary }) => summary.changes > 0),
    });
  }
  return { bars, isTime, most: Math.max(0, ...bars.map(({ value }) => value)) };
}

function measureOf({ numbers: { durationMs, usage } }: InteractionSummary, isTime: boolean): number {
  return (isTime ? durationMs : usage?.totalTokens) ?? 0;
}
