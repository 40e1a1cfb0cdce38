import type { VNode } from 'preact';
import type { CurrentTape } from '../../../src/contracts/pages/trialPage';
import { t } from '../../../src/core/text/l10n';
import { MEASURES } from './measures';
import type { Shown } from './order';

interface CurrentCellProps {
  /** Absent if the case has no tape. */
  readonly current: CurrentTape | undefined;
  readonly shown: Shown;
}

/** What is on the tape of a case, to compare the models with. */
export function CurrentCell({ current, shown }: CurrentCellProps): VNode {
  if (current === undefined) return <td class="current quiet">{t('no tape')}</td>;
  return (
    <td class="current">
      {MEASURES.filter(({ name }) => shown === 'all' || shown === name).map(({ name, text }) => {
        const value = name === 'changes' ? undefined : current[name];
        return (
          value !== undefined && (
            <span key={name} class="measure">
              {text(value)}
              {name === 'durationMs' && <span class="quiet"> {t('of responses')}</span>}
            </span>
          )
        );
      })}
    </td>
  );
}
