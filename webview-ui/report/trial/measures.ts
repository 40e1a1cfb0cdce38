import type { Spread, TrialSample } from '../../../src/core/model/trial';
import { formatDollars } from '../../../src/core/prices/formatDollars';
import { counted, grouped } from '../../../src/core/text/counts';
import { message, t } from '../../../src/core/text/l10n';
import { formatDuration } from '../../base/numbers';

/** What is measured of a sample, besides its verdict. */
export type MeasureName = 'changes' | 'tokens' | 'dollars' | 'durationMs';

export interface Measure {
  readonly name: MeasureName;
  /** A message. */
  readonly label: string;
  /** A value with its unit: `2 changes`, `1,204 tokens`, `$0.013`, `1.2 s`. */
  text(value: number): string;
  /** The same without a noun, for the ends of a range. */
  bare(value: number): string;
  of(sample: TrialSample): number | undefined;
}

/** In the order in which a cell shows them. */
export const MEASURES: readonly Measure[] = [
  {
    name: 'changes',
    label: message('Changes'),
    text: (value) => (value === 0 ? t('no changes') : counted(roundedTo(value, 1), '{0} change', '{0} changes')),
    bare: (value) => grouped(roundedTo(value, 1)),
    of: ({ changes }) => changes,
  },
  {
    name: 'tokens',
    label: message('Tokens'),
    text: (value) => counted(Math.round(value), '{0} token', '{0} tokens'),
    bare: (value) => grouped(Math.round(value)),
    of: ({ tokens }) => tokens && tokens.prompt + tokens.completion,
  },
  { name: 'dollars', label: message('Cost'), text: formatDollars, bare: formatDollars, of: ({ dollars }) => dollars },
  {
    name: 'durationMs',
    label: message('Latency'),
    text: formatDuration,
    bare: formatDuration,
    of: ({ durationMs }) => durationMs,
  },
];

function roundedTo(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** The range of the first to the third quartile, such as `1.1 s to 1.6 s`; undefined if both are shown like the median. */
export function rangeText({ bare }: Measure, { median, low, high }: Spread): string | undefined {
  const [from, middle, to] = [low, median, high].map(bare);
  return from === middle && to === middle ? undefined : `${from}–${to}`;
}

/** The measures of one sample in a line, such as `2 changes · 1,204 tokens · $0.013 · 1.2 s`. */
export function sampleLine(sample: TrialSample): string {
  return MEASURES.flatMap((measure) => {
    const value = measure.of(sample);
    return value === undefined ? [] : [measure.text(value)];
  }).join(' · ');
}

/** `80%`; never `100%` or `0%` for a value that is only close to it. */
export function percent(rate: number): string {
  const rounded = Math.round(rate * 100);
  if (rounded === 100 && rate < 1) return '99%';
  return rounded === 0 && rate > 0 ? '1%' : `${rounded}%`;
}
