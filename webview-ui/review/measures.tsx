import type { VNode } from 'preact';
import type { Measure } from '../../src/core/review/measures';
import { amount, delta, isAny, isSame, measureDetails, measureName } from '../../src/core/review/measureText';

/** The totals of the new recording, each with its difference from the old one. */
export function Measures({ measures }: { readonly measures: readonly Measure[] }): VNode | null {
  const shown = measures.filter(isAny);
  if (shown.length === 0) return null;
  return (
    <dl class="measures">
      {shown.map((measure) => (
        <div key={measure.name} class={isSame(measure) ? 'same' : ''} title={measureDetails(measure)}>
          <dt>{measureName(measure.name)}</dt>
          <dd>
            {amount(measure.name, measure.after ?? measure.before)} <span class="delta">{delta(measure)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
