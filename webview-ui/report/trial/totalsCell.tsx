import type { VNode } from 'preact';
import { t } from '../../../src/core/text/l10n';
import { MEASURES } from './measures';
import { MissingMeasure } from './missingMeasure';
import type { Shown } from './order';
import { PassRate } from './passRate';
import type { ModelTotals } from './totals';

interface TotalsCellProps {
  readonly totals: ModelTotals;
  readonly shown: Shown;
}

/** All samples of a model: how many passed, the sums of their measures, and the median latency. */
export function TotalsCell({ totals, shown }: TotalsCellProps): VNode {
  const { of, sums, medianMs } = totals;
  if (of === 0) return <td class="quiet">{t('not recorded yet')}</td>;
  return (
    <td>
      <PassRate {...totals} needed={1} />
      {MEASURES.filter(({ name }) => shown === 'all' || shown === name).map((measure) => {
        const isMedian = measure.name === 'durationMs';
        const value = isMedian ? medianMs : sums[measure.name];
        if (value === undefined) return <MissingMeasure key={measure.name} name={measure.name} />;
        return (
          <span key={measure.name} class="measure">
            {measure.text(value)} <span class="quiet">{isMedian ? t('median') : t('in all')}</span>
          </span>
        );
      })}
    </td>
  );
}
