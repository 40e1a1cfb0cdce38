import type { VNode } from 'preact';
import type { ShownTrial } from '../../../src/contracts/pages/trialPage';
import type { Trial } from '../../../src/core/model/trial';
import { counted, grouped } from '../../../src/core/text/counts';
import { t } from '../../../src/core/text/l10n';
import { Icon } from '../../base/icon';
import type { TrialPeer } from './trialPeer';

interface TrialHeadProps {
  readonly state: ShownTrial;
  readonly host: TrialPeer;
}

/** The head of the page: the trial, its progress, and its actions. */
export function TrialHead({ state, host }: TrialHeadProps): VNode {
  const { trial, progress, canRun } = state;
  const rest = trial && restText(trial);
  return (
    <header class="report-head">
      <div>
        <h1>
          {trial === undefined ? t('Trial') : counted(trial.cases.length, 'Trial of {0} case', 'Trial of {0} cases')}
        </h1>
        {trial !== undefined && <p class="report-line">{headline(trial)}</p>}
        {progress !== undefined && <Progress done={progress.done} of={progress.of} />}
      </div>
      {progress !== undefined ? (
        <button type="button" class="button-secondary" onClick={() => void host.calls.cancel(undefined)}>
          {t('Cancel')}
        </button>
      ) : (
        rest !== undefined && (
          <button
            type="button"
            class={trial?.isComplete ? 'button-secondary' : 'button'}
            disabled={!canRun}
            onClick={() => void host.calls.goOn(undefined)}
          >
            <Icon name="play" />
            {rest}
          </button>
        )
      )}
    </header>
  );
}

/** What is left to record; undefined if every sample has a result. */
function restText({ cells, isComplete }: Trial): string | undefined {
  if (!isComplete) return t('Record Missing Samples…');
  return cells.some(({ summary }) => summary.errors > 0) ? t('Record Errors Again…') : undefined;
}

/** `3 models, 5 samples of each case · 288 of 300 samples · 2 errors`. */
function headline({ models, samples, cases, cells }: Trial): string {
  const whole = cases.filter(({ refusal }) => refusal === undefined).length * models.length * samples;
  const there = cells.reduce((sum, cell) => sum + cell.samples.length, 0);
  const errors = cells.reduce((sum, cell) => sum + cell.summary.errors, 0);
  return [
    t(
      '{0}, {1}',
      counted(models.length, '{0} model', '{0} models'),
      counted(samples, '{0} sample of each case', '{0} samples of each case'),
    ),
    there === whole
      ? counted(whole, 'all {0} sample recorded', 'all {0} samples recorded')
      : counted(whole, '{1} of {0} sample recorded', '{1} of {0} samples recorded', grouped(there)),
    ...(errors > 0 ? [counted(errors, '{0} error', '{0} errors')] : []),
  ].join(' · ');
}

function Progress({ done, of }: { readonly done: number; readonly of: number }): VNode {
  return (
    <p class="trial-progress">
      <progress value={done} max={of} aria-label={t('Samples recorded')} />
      {t('{0} of {1}', grouped(done), grouped(of))}
    </p>
  );
}
