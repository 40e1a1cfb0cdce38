import type { VNode } from 'preact';
import { plural } from '../../src/core/text/counts';
import { Icon, type IconName } from '../base/icon';
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
        {`${passed} of ${of} passed`}
        {of > 1 && <span class="quiet">{` ${percent(passed / of)}`}</span>}
        {errors > 0 && <span class="errors">{plural(errors, 'error')}</span>}
      </span>
    </span>
  );
}

function lookOf(rate: number, needed: number): { readonly icon: IconName; readonly tone: string } {
  if (rate >= needed) return { icon: 'check', tone: 'passed' };
  return rate > 0 ? { icon: 'warning', tone: 'warning' } : { icon: 'error', tone: 'failed' };
}
