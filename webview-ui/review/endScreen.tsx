import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ReviewState } from '../../src/contracts/pages/reviewPanel';
import { t } from '../../src/core/text/l10n';
import { Icon } from '../base/icon';
import { ActionButton } from './actionButton';
import type { ReviewActions } from './session/reviewKeys';
import type { ReviewView } from './session/reviewView';
import { emptyState, hasOnlyIgnored, isReviewOver } from './session/words';

interface EndScreenProps {
  readonly state: ReviewState;
  readonly view: Pick<ReviewView, 'busy' | 'staged'>;
  readonly actions: ReviewActions;
}

/** Shown when nothing in the file is pending, with what comes next: another file, or the commit. */
export function EndScreen({ state, view: { busy, staged }, actions }: EndScreenProps): VNode {
  const { canDecide, queue, stageable, kind, changes, compared } = state;
  if (compared !== undefined) return <EmptyState icon {...emptyState(state)} />;
  const isOver = isReviewOver(state);
  const canStage = canDecide && kind !== 'run' && (changes.length > 0 || hasOnlyIgnored(state));
  const stagesAll = canDecide && isOver && queue.total > 1 && stageable > 0;
  const isStaged = staged === 'all' || (staged === 'file' && !stagesAll);
  return (
    <EmptyState icon {...emptyState(state)}>
      {!isOver && (
        <ActionButton
          action="nextPendingFile"
          actions={actions}
          kind="button"
          title={t('Next file with pending changes')}
        >
          {t('Next file')}
        </ActionButton>
      )}
      {stagesAll && !isStaged && (
        <ActionButton
          action="stageAll"
          actions={actions}
          kind="button"
          title={t('Stage all accepted files')}
          disabled={busy}
        >
          {t('Stage all accepted')}
        </ActionButton>
      )}
      {canStage && !stagesAll && !isStaged && (
        <ActionButton
          action="stage"
          actions={actions}
          kind={isOver ? 'button' : 'button-secondary'}
          title={t('Stage this file')}
          disabled={busy}
        >
          {t('Stage')}
        </ActionButton>
      )}
      {isOver && (
        <ActionButton
          action="openSourceControl"
          actions={actions}
          kind={isStaged ? 'button' : 'button-secondary'}
          title={t('Open Source Control')}
        >
          {t('Open Source Control')}
        </ActionButton>
      )}
    </EmptyState>
  );
}

interface EmptyStateProps {
  readonly icon?: boolean;
  /** It is all that is on the page. */
  readonly isPage?: boolean;
  readonly title: string;
  readonly text: string;
  /** Buttons. */
  readonly children?: ComponentChildren;
}

/** Shown in place of a change where there is none. */
export function EmptyState({ icon = false, isPage = false, title, text, children }: EmptyStateProps): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  const Heading = isPage ? 'h1' : 'h2';
  useEffect(() => {
    // The button that had the focus may have been removed: the keyboard continues from here.
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <section class="calm">
      {icon && <Icon name="check" />}
      <Heading ref={heading} tabIndex={-1}>
        {title}
      </Heading>
      <p class="quiet">{text}</p>
      {children !== undefined && <div class="calm-actions">{children}</div>}
    </section>
  );
}
