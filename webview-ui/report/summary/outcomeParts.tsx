import type { VNode } from 'preact';
import type { SummaryCase } from '../../../src/contracts/pages/runSummary';
import { grouped } from '../../../src/core/text/counts';
import { message, t } from '../../../src/core/text/l10n';
import { Icon, type IconName } from '../../base/icon';

/** A part of the page, about the cases with one outcome. Drifted cases are in the cards of their causes. */
export interface OutcomePart {
  readonly outcome: Exclude<SummaryCase['outcome'], 'drifted'>;
  readonly isFolded: boolean;
  Heading(props: { readonly count: number }): VNode;
}

function outcomePart(
  outcome: OutcomePart['outcome'],
  icon: IconName,
  tone: string,
  words: string,
  isFolded = false,
): OutcomePart {
  return {
    outcome,
    isFolded,
    Heading: ({ count }) => (
      <h2 class={`icon-${tone}`}>
        <Icon name={icon} />
        {t(words, grouped(count))}
      </h2>
    ),
  };
}

/** In the order of the page. */
export const OUTCOME_PARTS: readonly OutcomePart[] = [
  outcomePart('running', 'play', 'quiet', message('{0} running')),
  outcomePart('failed', 'error', 'failed', message('{0} failed')),
  outcomePart('review', 'diff', 'warning', message('{0} to review')),
  outcomePart('unchecked', 'info', 'quiet', message('{0} passed without anything to compare')),
  outcomePart('cancelled', 'close', 'quiet', message('{0} cancelled')),
  outcomePart('passed', 'check', 'passed', message('{0} passed'), true),
];
