import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { ReviewedChange } from '../../src/contracts/engine/review';
import type { ReviewState } from '../../src/contracts/pages/reviewPanel';
import { message, t } from '../../src/core/text/l10n';
import { Icon } from '../base/icon';
import { KeyHelpDialog } from '../base/keyHelpDialog';
import { keyLabel } from '../base/keyLabel';
import { ActionButton } from './actionButton';
import { ChangePane, type ChangePaneProps } from './diff/changePane';
import { ChangeFilterBar } from './list/changeFilterBar';
import { ChangeList } from './list/changeList';
import { SameDialog } from './sameChanges';
import { INITIAL_PAGE, type PageState, reviewActions, updatePage } from './session/reviewActions';
import { KEY_BINDINGS, keyOf, onReviewKeys, type ReviewAction, type ReviewActions } from './session/reviewKeys';
import type { ReviewSession } from './session/reviewSession';
import {
  canStep,
  hasTranscript,
  onlyPending,
  type ReviewView,
  selectedChange,
  shownChanges,
} from './session/reviewView';
import { emptyState, hasOnlyIgnored, isReviewOver, sideNames } from './session/words';
import { Summary } from './summary';

type KeyHint = readonly [action: ReviewAction, message: string];

/** The most useful keys, on one line. */
function KeyHints({ hints }: { readonly hints: readonly KeyHint[] }): VNode {
  return (
    <p class="hints" aria-hidden="true">
      {hints.map(([action, label]) => (
        <span key={action}>
          <kbd>{keyOf(action).label}</kbd> {t(label)}
        </span>
      ))}
    </p>
  );
}

const READING: readonly string[] = [
  message('Changes are in a list. The selected change is shown beside it, and its title is announced.'),
  message('Each decision is announced with what is left to review. Open in Diff Editor has an accessible diff viewer.'),
  message('As text, the review has every change in full, with its decision.'),
];

/** The keyboard shortcuts of the review, in a dialog. */
function ReviewKeyHelp({ onClose }: { onClose(): void }): VNode {
  return (
    <KeyHelpDialog class="key-help" reading={READING} onClose={onClose}>
      <dl>
        {KEY_BINDINGS.map(({ action, keys, label }) => (
          <div key={action}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{keyLabel(key)}</kbd>
              ))}
            </dt>
            <dd>{t(label)}</dd>
          </div>
        ))}
      </dl>
    </KeyHelpDialog>
  );
}

/** The state that the page restores after it was hidden or reloaded. */
interface PageMemory {
  /** The host finds the review to restore by this. */
  readonly caseUri: string;
  readonly sideBySide: boolean;
  readonly selected: string | undefined;
  /** The ids of the changes that were viewed last. */
  readonly viewed: readonly string[];
}

interface ReviewPageProps {
  readonly session: ReviewSession;
  readonly sideBySide: boolean;
  onRemember(memory: PageMemory): void;
  /** Calls back whenever the host asks for the help. Returns the unsubscriber. */
  onHelp(open: () => void): () => void;
}

/** The page: the review, with its errors, announcements and keyboard shortcuts. */
export function ReviewPage({ session, sideBySide, onRemember, onHelp }: ReviewPageProps): VNode {
  const view = useReviewView(session);
  const [page, dispatch] = useReducer(updatePage, { ...INITIAL_PAGE, sideBySide });
  const actions = useMemo(() => reviewActions(session, dispatch), [session]);
  useEffect(() => onHelp(() => dispatch('openHelp')), [onHelp]);
  useEffect(() => onReviewKeys((action) => actions[action]()), [actions]);
  usePageMemory(view, page.sideBySide, onRemember);
  const { state, busy, error } = view;
  return (
    <>
      {busy && <div class="progress" />}
      {error !== undefined && <ErrorBanner text={error} onDismiss={() => session.dismissError()} />}
      {state && <ReviewBody view={view} state={state} session={session} page={page} actions={actions} />}
      <Footer view={view} />
      {view.same !== undefined && (
        <SameDialog
          changes={view.same}
          onDecide={(verdict) => session.decideSame(verdict)}
          onClose={() => session.closeSame()}
        />
      )}
      {page.helpShown && <ReviewKeyHelp onClose={() => dispatch('closeHelp')} />}
    </>
  );
}

function useReviewView(session: ReviewSession): ReviewView {
  const [view, setView] = useState(session.view);
  useEffect(() => {
    // Effects run after painting: the host may have responded before.
    setView(session.view);
    return session.onChange(setView);
  }, [session]);
  return view;
}

const MAX_REMEMBERED = 2_000;

function usePageMemory(view: ReviewView, sideBySide: boolean, onRemember: (memory: PageMemory) => void): void {
  const { state, selected, viewed } = view;
  const caseUri = state?.caseUri;
  useEffect(() => {
    const last = [...viewed].slice(-MAX_REMEMBERED);
    if (caseUri !== undefined) onRemember({ caseUri, sideBySide, selected, viewed: last });
  }, [caseUri, sideBySide, selected, viewed]);
}

const DECIDE_HINTS: readonly KeyHint[] = [
  ['accept', message('accept')],
  ['reject', message('reject')],
];

function Footer({ view: { state, staged, announcement } }: { readonly view: ReviewView }): VNode {
  return (
    <footer class="foot quiet">
      <p aria-live="polite">{announcement}</p>
      {state?.canDecide && state.notice === undefined && <KeyHints hints={hintsOf(state, staged)} />}
    </footer>
  );
}

/** Only keys that do something now. */
function hintsOf(state: ReviewState, staged: ReviewView['staged']): readonly KeyHint[] {
  const isPending = onlyPending(state.changes).length > 0;
  const canStage = !isPending && state.stageable > 0 && staged !== 'all';
  return [
    ...(isPending ? DECIDE_HINTS : []),
    ...(canStep(state) ? ([['next', message('next')]] as const) : []),
    ...(state.canUndo ? ([['undo', message('undo')]] as const) : []),
    ...(canStage ? ([['stageAll', message('stage accepted files')]] as const) : []),
  ];
}

function ErrorBanner({ text, onDismiss }: { readonly text: string; onDismiss(): void }): VNode {
  return (
    <div class="error-banner" role="alert">
      <Icon name="error" />
      <p>{text}</p>
      <button type="button" class="button-quiet" aria-label={t('Dismiss')} onClick={onDismiss}>
        <Icon name="close" />
      </button>
    </div>
  );
}

/** A list of so few changes has no search. */
const FEW = 3;

interface ReviewBodyProps {
  readonly view: ReviewView;
  readonly state: ReviewState;
  readonly session: ReviewSession;
  readonly page: PageState;
  readonly actions: ReviewActions;
}

/** The summary, the list of changes and the selected change, or the reason why there is none. */
function ReviewBody(props: ReviewBodyProps): VNode {
  const { view, state, page, actions } = props;
  // Once Monaco has failed, every change is shown as plain text.
  const [plainReason, setPlainReason] = useState<string>();
  const shown = useMemo(() => shownChanges(view), [state.changes, view.filter, view.texts]);
  if (state.notice !== undefined)
    return (
      <main>
        <EmptyState isPage title={state.caseName} text={state.notice} />
      </main>
    );
  const change = selectedChange(view);
  return (
    <main class="review" aria-busy={view.busy}>
      <Summary
        state={state}
        busy={view.busy}
        staged={view.staged}
        hiddenShown={page.hiddenShown}
        isChangeShown={change !== undefined}
        actions={actions}
      />
      {hasList(state) && <Changes {...props} shown={shown} />}
      {change === undefined ? (
        <NoChange {...props} shown={shown} />
      ) : (
        <SelectedChange {...props} change={change} plainReason={plainReason} onMonacoFailure={setPlainReason} />
      )}
    </main>
  );
}

/** A new recording is one decision, and needs no list. */
function hasList({ changes }: ReviewState): boolean {
  return changes.length > 1 || (changes.length === 1 && changes[0]?.recording === undefined);
}

type ChangesProps = ReviewBodyProps & { readonly shown: readonly ReviewedChange[] };

/** The list of changes, with its search. */
function Changes({ view, state, session, page, shown }: ChangesProps): VNode {
  return (
    <div class="changes">
      {state.changes.length > FEW && (
        <ChangeFilterBar
          changes={state.changes}
          shown={shown.length}
          filter={view.filter}
          findRequest={page.requests.find}
          onFilter={(next) => session.filter(next)}
        />
      )}
      <ChangeList
        changes={shown}
        selected={view.selected}
        viewed={view.viewed}
        isReview={state.compared === undefined}
        canDecide={state.canDecide}
        onSelect={(id) => session.select(id)}
        onAccept={(ids) => session.decideAbout('accepted', pendingOf(state, ids))}
      />
    </div>
  );
}

function pendingOf({ changes }: ReviewState, ids: readonly string[]): readonly string[] {
  return onlyPending(changes)
    .map(({ id }) => id)
    .filter((id) => ids.includes(id));
}

type SelectedChangeProps = ReviewBodyProps & Pick<ChangePaneProps, 'change' | 'plainReason' | 'onMonacoFailure'>;

function SelectedChange(props: SelectedChangeProps): VNode {
  const { view, state, session, page, actions, change } = props;
  return (
    <ChangePane
      change={change}
      kind={change.isOfResult ? 'run' : state.kind}
      names={sideNames(change.isOfResult ? { against: 'baseline' } : state)}
      isReview={state.compared === undefined}
      sameFiles={change.decision === 'open' ? state.same[change.id] : undefined}
      hasTranscript={hasTranscript(state)}
      canDecide={state.canDecide}
      layout={{ sideBySide: page.sideBySide, folded: page.folded }}
      plainReason={props.plainReason}
      note={view.notes.get(change.id) ?? ''}
      noteRequest={page.requests.note}
      actions={actions}
      onNote={(text) => session.note(text)}
      onMonacoFailure={props.onMonacoFailure}
    />
  );
}

/** What is in place of a change: the end of the review, or why the list has none to show. */
function NoChange({ state, view, actions, shown }: ChangesProps): VNode {
  if (shown.length === 0 && state.changes.length > 0)
    return <EmptyState title={t('No results')} text={t('Press Esc in the search field to show all changes.')} />;
  if (onlyPending(state.changes).length === 0) return <EndScreen state={state} view={view} actions={actions} />;
  const text = t('All listed changes are decided. Press F or clear the search to see the others.');
  return <EmptyState icon title={t('Nothing pending in this list')} text={text} />;
}

interface EndScreenProps {
  readonly state: ReviewState;
  readonly view: Pick<ReviewView, 'busy' | 'staged'>;
  readonly actions: ReviewActions;
}

/** Shown when nothing in the file is pending, with what comes next: another file, or the commit. */
function EndScreen({ state, view: { busy, staged }, actions }: EndScreenProps): VNode {
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
          title={t('Next File with Pending Changes')}
        >
          {t('Next File')}
        </ActionButton>
      )}
      {stagesAll && !isStaged && (
        <ActionButton
          action="stageAll"
          actions={actions}
          kind="button"
          title={t('Stage All Accepted Files')}
          disabled={busy}
        >
          {t('Stage All Accepted')}
        </ActionButton>
      )}
      {canStage && !stagesAll && !isStaged && (
        <ActionButton
          action="stage"
          actions={actions}
          kind={isOver ? 'button' : 'button-secondary'}
          title={t('Stage This File')}
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
function EmptyState({ icon = false, isPage = false, title, text, children }: EmptyStateProps): VNode {
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
