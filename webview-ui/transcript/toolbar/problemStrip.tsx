import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { grouped } from '../../../src/core/text/counts';
import { message, t } from '../../../src/core/text/l10n';
import type { TranscriptProblem } from '../../../src/core/transcript/transcript';
import { Icon } from '../../base/icon';
import { useActions } from '../state/actions';

/** The others are one click away: a broken generator repeats the same problem a thousand times. */
const MAX_SHOWN = 5;

/** The problems of the file, each with its fix and its line. */
export function ProblemStrip({ problems }: { readonly problems: readonly TranscriptProblem[] }): VNode | null {
  const [all, setAll] = useState(false);
  if (problems.length === 0) return null;
  const shown = all ? problems : problems.slice(0, MAX_SHOWN);
  return (
    <section class="problems" aria-label={t('Problems')}>
      <ul>
        {shown.map((problem, index) => (
          <ProblemItem key={index} problem={problem} />
        ))}
      </ul>
      {shown.length < problems.length && (
        <button type="button" class="link show-all" onClick={() => setAll(true)}>
          {t('Show All {0} Problems', grouped(problems.length))}
        </button>
      )}
    </section>
  );
}

const SEVERITIES = { error: message('error: '), warning: message('warning: '), info: message('info: ') } as const;

function ProblemItem({ problem: { severity, message, fix, line } }: { readonly problem: TranscriptProblem }): VNode {
  const { revealLine } = useActions();
  return (
    <li class={`problem problem-${severity}`}>
      <Icon name={severity} />
      <div>
        <span class="visually-hidden">{t(SEVERITIES[severity])}</span>
        {message}
        {fix !== undefined && <p class="quiet">{fix}</p>}
      </div>
      <button type="button" class="link" onClick={() => revealLine({ line })}>
        {t('Line {0}', grouped(line))}
      </button>
    </li>
  );
}
