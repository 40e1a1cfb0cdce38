import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { InteractionSummary } from '../../src/core/transcript/summary';
import { memo } from '../base/memo';
import { formatCount, formatDuration } from './facts';
import type { Row } from './rows';
import type { Goal } from './useVirtualRows';

interface TimelineProps {
  readonly rows: readonly Row[];
  go(goal: Goal): void;
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

/** The interactions in their order, as tall as they took, in time or else in tokens. A click leads there. */
export const Timeline = memo(({ rows, go }: TimelineProps): VNode => {
  const { bars, isTime, most } = useMemo(() => barsOf(rows), [rows]);
  if (bars.length < 3 || most === 0) return <div hidden />;
  const told = (value: number): string => (isTime ? formatDuration(value) : `${formatCount(value)} tokens`);
  return (
    // To a screen reader and to the keyboard the outline says the same.
    <div class="timeline" aria-hidden="true">
      {bars.map(({ key, first, value, failed, changed }) => (
        <button
          key={key}
          type="button"
          tabIndex={-1}
          class={failed ? 'bar bar-failed' : changed ? 'bar bar-changed' : 'bar'}
          title={`#${first + 1}: ${told(value)}`}
          onClick={() => go({ key, offset: 12 })}
        >
          <span style={{ height: `${Math.max(6, (value / most) * 100)}%` }} />
        </button>
      ))}
    </div>
  );
});

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
