import type { VNode } from 'preact';
import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import type { ReviewState } from '../../src/contracts/pages/reviewPanel';
import { message, t } from '../../src/core/text/l10n';
import { Icon } from '../base/icon';
import { KeyHelpDialog } from '../base/keyHelpDialog';
import { keyLabel } from '../base/keyLabel';
import { ReviewBody } from './reviewBody';
import { SameDialog } from './sameChanges';
import { INITIAL_PAGE, reviewActions, updatePage } from './session/reviewActions';
import { KEY_BINDINGS, keyOf, onReviewKeys, type ReviewAction } from './session/reviewKeys';
import type { ReviewSession } from './session/reviewSession';
import { canStep, onlyPending, type ReviewView } from './session/reviewView';

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
