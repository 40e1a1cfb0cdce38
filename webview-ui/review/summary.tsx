import type { VNode } from 'preact';
import type { ReviewState } from '../../src/contracts/pages/reviewPanel';
import type { Change } from '../../src/core/model/change';
import type { Measure } from '../../src/core/review/measures';
import { amount, delta, isAny, isSame, measureDetails, measureName } from '../../src/core/review/measureText';
import { counted, grouped } from '../../src/core/text/counts';
import { joinedByCommas } from '../../src/core/text/joinedByCommas';
import { t } from '../../src/core/text/l10n';
import { Icon } from '../base/icon';
import { ActionButton } from './actionButton';
import type { ReviewActions } from './session/reviewKeys';
import { onlyPending, type ReviewView } from './session/reviewView';
import { headline, summary } from './session/words';

interface SummaryProps {
  readonly state: ReviewState;
  readonly busy: boolean;
  readonly staged: ReviewView['staged'];
  /** Whether ignored differences are listed. */
  readonly hiddenShown: boolean;
  /** Whether a change is shown below. */
  readonly isChangeShown: boolean;
  readonly actions: ReviewActions;
}

/** The change in words and numbers, and the actions on all of it. */
export function Summary({ state, busy, staged, hiddenShown, isChangeShown, actions }: SummaryProps): VNode {
  const { hidden, canDecide, notices } = state;
  return (
    <header class="summary">
      <div class="summary-words">
        <h1>{headline(state)}</h1>
        <p class="quiet">
          <span class="compared">{summary(state, Date.now())}</span>{' '}
          {hidden.length > 0 && <HiddenToggle count={hidden.length} isShown={hiddenShown} actions={actions} />}
        </p>
      </div>
      <QueueNavigation state={state} actions={actions} />
      <Decisions state={state} busy={busy} staged={staged} isChangeShown={isChangeShown} actions={actions} />
      <ActionButton action="help" actions={actions} title={t('Keyboard Shortcuts')} icon="question" />
      <div class="summary-more">
        <Measures measures={state.measures} />
        {notices.map((notice) => (
          <p class="notice" key={notice}>
            <Icon name="warning" /> {notice}
          </p>
        ))}
        {hiddenShown && <HiddenList hidden={hidden} />}
        {!canDecide && state.compared === undefined && (
          <p class="quiet">
            {t('To accept or reject changes, open a trusted workspace in a desktop or remote window.')}
          </p>
        )}
      </div>
    </header>
  );
}

interface HiddenToggleProps {
  readonly count: number;
  readonly isShown: boolean;
  readonly actions: ReviewActions;
}

function HiddenToggle({ count, isShown, actions }: HiddenToggleProps): VNode {
  return (
    <ActionButton
      action="toggleHidden"
      actions={actions}
      kind="link"
      expanded={isShown}
      title={t('Show differences that the [normalise] rules in tapedeck.toml ignore')}
    >
      {counted(count, '{0} difference ignored by rules', '{0} differences ignored by rules')}
    </ActionButton>
  );
}

type PartProps = Pick<SummaryProps, 'state' | 'actions'>;

/** The position of this file among all files with changes. */
function QueueNavigation({ state: { queue }, actions }: PartProps): VNode | null {
  if (queue.total < 2) return null;
  return (
    <div class="queue-navigation">
      <ActionButton action="previousFile" actions={actions} title={t('Previous File')} icon="chevron-up" />
      <span class="quiet">
        {queue.position > 0
          ? t('File {0} of {1}', grouped(queue.position), grouped(queue.total))
          : counted(queue.total, '{0} file', '{0} files')}
      </span>
      <ActionButton action="nextFile" actions={actions} title={t('Next File')} icon="chevron-down" />
    </div>
  );
}

/** The decisions on all changes of the file. */
function Decisions({ state, busy, staged, isChangeShown, actions }: Omit<SummaryProps, 'hiddenShown'>): VNode | null {
  const { canDecide, canUndo, hasBaseline, changes, hidden, kind, compared } = state;
  if (compared !== undefined) return null;
  const pending = onlyPending(changes).length;
  // Where no change is shown, the end screen has the button.
  const isOver = pending === 0 && changes.length + hidden.length > 0;
  const canStage = canDecide && kind !== 'run' && isOver && isChangeShown && staged === undefined;
  return (
    <>
      {canDecide && canUndo && (
        <ActionButton action="undo" actions={actions} title={t('Undo Last Decision')} icon="discard" disabled={busy}>
          {t('Undo')}
        </ActionButton>
      )}
      {canStage && (
        <ActionButton
          action="stage"
          actions={actions}
          kind="button-secondary"
          title={t('Stage This File')}
          disabled={busy}
        >
          {t('Stage')}
        </ActionButton>
      )}
      {hasBaseline && pending > 1 && (
        <ActionButton
          action="acceptAll"
          actions={actions}
          kind="button-secondary"
          title={kind === 'run' ? t('Accept all pending changes into the baseline') : t('Accept all pending changes')}
          disabled={busy || !canDecide}
        >
          {t('Accept All')}
        </ActionButton>
      )}
    </>
  );
}

/** The characters of a value that fit on a line. */
const MAX_VALUE_LENGTH = 60;

/** The ignored differences, each with its rules. None of them needs a decision. */
function HiddenList({ hidden }: { readonly hidden: readonly Change[] }): VNode {
  return (
    <section class="hidden-list quiet" aria-label={t('Ignored differences')}>
      <ul>
        {hidden.map(({ id, title, before, after, rules }) => (
          <li key={id}>
            {title} <code>{short(before)}</code> → <code>{short(after)}</code>{' '}
            <span class="badge">{joinedByCommas(rules)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_VALUE_LENGTH ? `${line.slice(0, MAX_VALUE_LENGTH)}…` : line || t('(empty)');
}

/** The totals of the new recording, each with its difference from the old one. */
function Measures({ measures }: { readonly measures: readonly Measure[] }): VNode | null {
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
