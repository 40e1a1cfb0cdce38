import type { VNode } from 'preact';
import { formatDollars } from '../../src/core/prices/formatDollars';
import type { Measure, MeasureName } from '../../src/core/review/measures';

/** The totals of the new recording, each with its difference from the old one. */
export function Measures({ measures }: { readonly measures: readonly Measure[] }): VNode | null {
  const shown = measures.filter(isAny);
  if (shown.length === 0) return null;
  return (
    <dl class="measures">
      {shown.map((measure) => (
        <div key={measure.name} class={isSame(measure) ? 'same' : ''} title={tooltip(measure)}>
          <dt>{measure.name}</dt>
          <dd>
            {amount(measure.name, measure.after ?? measure.before)} <span class="delta">{delta(measure)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Whether there is something to count: a run without tools needs no `tool calls 0`. */
function isAny({ before = 0, after = 0 }: Measure): boolean {
  return before !== 0 || after !== 0;
}

function isSame({ before, after }: Measure): boolean {
  return before === after;
}

/** A number with its unit: `$0.0013`, `1.2 s`, `12,400`. */
export function amount(name: MeasureName, value: number | undefined): string {
  if (value === undefined) return '–';
  if (name === 'cost') return formatDollars(value);
  if (name === 'latency') return value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
  return value.toLocaleString('en');
}

/** `+12%`, `−3`, `new`; empty where nothing changed. */
export function delta({ name, before, after }: Measure): string {
  if (before === after) return '';
  if (before === undefined) return 'new';
  if (after === undefined) return 'gone';
  const sign = after > before ? '+' : '−';
  const isCounted = name === 'interactions' || name === 'tool calls';
  if (isCounted || before === 0) return `${sign}${amount(name, Math.abs(after - before))}`;
  const part = Math.abs(after - before) / before;
  if (part >= 10) return `×${Math.round(after / before)}`;
  return `${sign}${part < 0.01 ? '<1' : Math.round(part * 100)}%`;
}

function tooltip({ name, before, after }: Measure): string {
  return before === after
    ? `${name}: ${amount(name, after)}, unchanged`
    : `${name}: ${amount(name, before)} before, ${amount(name, after)} now`;
}
