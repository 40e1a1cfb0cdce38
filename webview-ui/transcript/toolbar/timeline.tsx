import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { counted } from '../../../src/core/text/counts';
import { joinedByCommas } from '../../../src/core/text/joinedByCommas';
import { t } from '../../../src/core/text/l10n';
import type { InteractionSummary } from '../../../src/core/transcript/summary';
import { memo } from '../../base/memo';
import { formatCount, formatDuration } from '../../base/numbers';
import { headsOf, type Row } from '../rows/rows';

interface TimelineProps {
  readonly rows: readonly Row[];
  onGo(key: string): void;
}

/** More bars than this would be thinner than a pixel: neighbours share one. */
const MAX_BARS = 240;
/** In percent: even the smallest bar can be seen. */
const MIN_HEIGHT = 6;

/** One bar, for one interaction or for several neighbours. */
interface Bar {
  readonly key: string;
  /** The index of its first interaction. */
  readonly first: number;
  /** Milliseconds or tokens; the largest where several interactions share the bar. */
  readonly value: number;
  readonly failed: boolean;
  readonly changed: boolean;
}

/** The interactions in order as bars, as tall as the time or else the tokens that each took. A bar leads to its interaction. */
export const Timeline = memo(({ rows, onGo }: TimelineProps): VNode => {
  const { bars, isTime, most } = useMemo(() => barsOf(rows), [rows]);
  const [current, setCurrent] = useState(0);
  if (bars.length < 3 || most === 0) return <div hidden />;
  const tabStop = Math.min(current, bars.length - 1);
  const measured = isTime
    ? t('Time per interaction, up to {0}', formatDuration(most))
    : t('Tokens per interaction, up to {0}', formatCount(most));
  return (
    <section class="timeline-section">
      <p class="timeline-label quiet" id="timeline-label">
        {measured}
      </p>
      <div
        class="timeline"
        role="toolbar"
        aria-label={t('Timeline')}
        aria-describedby="timeline-label"
        onKeyDown={onArrowKey}
      >
        {bars.map((bar, index) => (
          <TimelineBar
            key={bar.key}
            bar={bar}
            label={describeBar(bar, isTime)}
            height={Math.max(MIN_HEIGHT, (bar.value / most) * 100)}
            isTabStop={index === tabStop}
            onFocus={() => setCurrent(index)}
            onGo={() => onGo(bar.key)}
          />
        ))}
      </div>
    </section>
  );
});

interface TimelineBarProps {
  readonly bar: Bar;
  readonly label: string;
  /** In percent of the tallest bar. */
  readonly height: number;
  readonly isTabStop: boolean;
  onFocus(): void;
  onGo(): void;
}

function TimelineBar({ bar, label, height, isTabStop, onFocus, onGo }: TimelineBarProps): VNode {
  return (
    <button
      type="button"
      data-first={bar.first}
      tabIndex={isTabStop ? 0 : -1}
      class={bar.failed ? 'bar bar-failed' : bar.changed ? 'bar bar-changed' : 'bar'}
      aria-label={label}
      title={label}
      onFocus={onFocus}
      onClick={onGo}
    >
      <span style={{ height: `${height}%` }} />
    </button>
  );
}

/** Moves the focus to the bar of an interaction. Returns false if there is no timeline. */
export function focusTimeline(interaction: number): boolean {
  const bars = [...document.querySelectorAll<HTMLElement>('.timeline .bar')];
  const bar = bars.findLast(({ dataset }) => Number(dataset.first) <= interaction) ?? bars[0];
  bar?.focus();
  return bar !== undefined;
}

/** Tab stops at one bar only; the arrow keys move between bars. */
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
  const measure = isTime ? formatDuration(value) : counted(value, '{0} token', '{0} tokens');
  return joinedByCommas([
    t('#{0}: {1}', first + 1, measure),
    ...(failed ? [t('failed')] : []),
    ...(changed ? [t('silent changes')] : []),
  ]);
}

function barsOf(rows: readonly Row[]): { bars: readonly Bar[]; isTime: boolean; most: number } {
  const heads = rows.flatMap(headsOf).map(({ key, head: { summary } }) => ({ key, summary }));
  const isTime = heads.some(({ summary }) => summary.numbers.durationMs !== undefined);
  const share = Math.ceil(heads.length / MAX_BARS);
  const bars: Bar[] = [];
  for (let at = 0; at < heads.length; at += share) {
    const group = heads.slice(at, at + share);
    const [first] = group;
    if (first === undefined) break;
    bars.push({
      key: first.key,
      first: first.summary.index,
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
