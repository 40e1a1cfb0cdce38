import type { VNode } from 'preact';
import { t } from '../../../src/core/text/l10n';
import type { MeasureName } from './measures';

/** Stands for a measure that is unknown: a cost without a price is named, the others are left out. */
export function MissingMeasure({ name }: { readonly name: MeasureName }): VNode | null {
  return name === 'dollars' ? <span class="measure quiet">{t('no price')}</span> : null;
}
