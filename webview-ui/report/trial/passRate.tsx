import type { VNode } from 'preact';
import { counted, grouped } from '../../../src/core/text/counts';
import { t } from '../../../src/core/text/l10n';
import { Icon, type IconName } from '../../base/icon';
import { percent } from './measures';

interface PassRateProps {
  readonly passed: number;
  readonly errors: number;
  readonly of: number;
  /** The part that has to pass. */
  readonly needed: number;
}

/** How many samples passed: as an icon, a count, and a percentage. */
export function PassRate({ passed, errors, of, needed }: PassRateProps): VNode {
  const { icon, tone } = lookOf(passed / of, needed);
  return (
    <span class={`pass-rate icon-${tone}`}>
      <Icon name={icon} />
      <span>
        {t('{0} of {1} passed', grouped(passed), grouped(of))}
        {of > 1 && <span class="quiet">{` ${percent(passed / of)}`}</span>}
        {errors > 0 && <span class="errors">{counted(errors, '{0} error', '{0} errors')}</span>}
      </span>
    </span>
  );
}

function lookOf(rate: number, needed: number): { readonly icon: IconName; readonly tone: string } {
  if (rate >= needed) return { icon: 'check', tone: 'passed' };
  return rate > 0 ? { icon: 'warning', tone: 'warning' } : { icon: 'error', tone: 'failed' };
}
