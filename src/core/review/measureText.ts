import { formatDollars } from '../prices/formatDollars';
import { PRICES_DATE } from '../prices/pricesDate';
import { grouped } from '../text/counts';
import { t } from '../text/l10n';
import type { Measure, MeasureName } from './measures';

/** Whether a count is worth showing: a run without tools needs no `tool calls 0`. */
export function isAny({ before = 0, after = 0 }: Measure): boolean {
  return before !== 0 || after !== 0;
}

export function isSame({ before, after }: Measure): boolean {
  return before === after;
}

/** Such as `tool calls`. */
export function measureName(name: MeasureName): string {
  return t(name);
}

/** A number with its unit: `$0.0013`, `1.2 s`, `12,400`. */
export function amount(name: MeasureName, value: number | undefined): string {
  if (value === undefined) return '–';
  if (name === 'cost') return formatDollars(value);
  if (name === 'latency') return value < 1000 ? t('{0} ms', Math.round(value)) : t('{0} s', (value / 1000).toFixed(1));
  return grouped(value);
}

/** `+12%`, `−3`, `new`; empty if nothing changed. */
export function delta({ name, before, after }: Measure): string {
  if (before === after) return '';
  if (before === undefined) return t('new');
  if (after === undefined) return t('gone');
  const sign = after > before ? '+' : '−';
  const isCounted = name === 'interactions' || name === 'tool calls';
  if (isCounted || before === 0) return `${sign}${amount(name, Math.abs(after - before))}`;
  const part = Math.abs(after - before) / before;
  if (part >= 10) return `×${Math.round(after / before)}`;
  return `${sign}${part < 0.01 ? '<1' : Math.round(part * 100)}%`;
}

/** Such as `cost: $0.01 before, $0.02 now, at list prices of 2026-01-01`. */
export function measureDetails(measure: Measure): string {
  const told = sidesText(measure);
  return measure.name === 'cost' ? t('{0}, at list prices of {1}', told, PRICES_DATE) : told;
}

function sidesText({ name, before, after }: Measure): string {
  return before === after
    ? t('{0}: {1}, unchanged', measureName(name), amount(name, after))
    : t('{0}: {1} before, {2} now', measureName(name), amount(name, before), amount(name, after));
}
