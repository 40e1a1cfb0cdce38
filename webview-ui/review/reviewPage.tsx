import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../base/icon';
import { type FieldRequests, ReviewBody } from './reviewBody';
import { KEY_BINDINGS, keyLabel, onReviewKeys, type ReviewAction } from './session/reviewKeys';
import type { ReviewSession } from './session/reviewSession';
import { openChanges } from './session/reviewView';

/** What the page comes back with after it was hidden or reloaded. */
export interface PageMemory {
  /** By this the host finds the review to restore. */
  readonly caseUri: string;
  readonly sideBySide: boolean;
  readonly selected: string | undefined;
  /** Ids of the changes that were looked at, the last ones. */
  readonly viewed: readonly string[];
}

export interface ReviewPageProps {
  readonly session: ReviewSession;
  readonly sideBySide: boolean;
  onRemember(memory: PageMemory): void;
}

const MAX_REMEMBERED = 2_000;

/** The whole page: the review, and around it what is said when something happens. */
export function ReviewPage({ session, sideBySide: initially, onRemember }: ReviewPageProps): VNode {
  const [view, setView] = useState(session.view);
  const [sideBySide, setSideBySide] = useState(initially);
  const [folded, setFolded] = useState(true);
  const [helpShown, setHelpShown] = useState(false);
  const [hiddenShown, setHiddenShown] = useState(false);
  const [requests, setRequests] = useState<FieldRequests>({ find: 0, note: 0 });
  const { state, selected, viewed, busy, error, announcement } = view;
  const actions: Record<ReviewAction, () => unknown> = {
    next: () => session.step(1),
    previous: () => session.step(-1),
    nextFile: () => session.go('next'),
    previousFile: () => session.go('previous'),
    accept: () => session.decide('accepted'),
    reject: () => session.decide('rejected'),
    acceptInteraction: () => session.decideInteraction('accepted'),
    rejectInteraction: () => session.decideInteraction('rejected'),
    acceptAll: () => session.decideAll('accepted'),
    rejectAll: () => session.decideAll('rejected'),
    undo: () => session.undo(),
    note: () => setRequests(({ note, ...others }) => ({ ...others, note: note + 1 })),
    toggleViewed: () => session.toggleViewed(),
    stage: () => session.stage(),
    stageAll: () => session.stageAll(),
    find: () => setRequests(({ find, ...others }) => ({ ...others, find: find + 1 })),
    nextGroup: () => session.nextGroup(),
    toggleHidden: () => setHiddenShown((value) => !value),
    toggleSideBySide: () => setSideBySide((value) => !value),
    toggleFolding: () => setFolded((value) => !value),
    openDiff: () => session.openDiff(),
    openTranscript: () => session.openTranscript(),
    help: () => setHelpShown((value) => !value),
  };
  const caseUri = state?.caseUri;
  useEffect(() => {
    // Effects run after painting: the host may have answered before.
    setView(session.view);
    return session.onChange(setView);
  }, [session]);
  useEffect(() => onReviewKeys((action) => actions[action]()));
  useEffect(() => {
    const last = [...viewed].slice(-MAX_REMEMBERED);
    if (caseUri !== undefined) onRemember({ caseUri, sideBySide, selected, viewed: last });
  }, [caseUri, sideBySide, selected, viewed]);

  return (
    <>
      {busy && <div class="progress" />}
      {error !== undefined && <ErrorBanner text={error} onDismiss={() => session.dismissError()} />}
      {state && (
        <ReviewBody
          view={view}
          state={state}
          session={session}
          hiddenShown={hiddenShown}
          layout={{ sideBySide, folded }}
          requests={requests}
          actions={actions}
        />
      )}
      <footer class="foot quiet">
        <p aria-live="polite">{announcement}</p>
        {state?.canDecide && state.notice === undefined && (
          <KeyHints actions={openChanges(state.changes).length > 0 ? WHILE_OPEN : WHEN_DECIDED} />
        )}
      </footer>
      {helpShown && <ReviewKeyHelp onClose={() => setHelpShown(false)} />}
    </>
  );
}

type Hints = readonly (readonly [action: ReviewAction, says: string])[];

const WHILE_OPEN: Hints = [
  ['accept', 'accept'],
  ['reject', 'reject'],
  ['next', 'next'],
  ['undo', 'undo'],
];
const WHEN_DECIDED: Hints = [
  ['next', 'next'],
  ['undo', 'undo'],
  ['stageAll', 'stage what is accepted'],
];

/** The few keys that a review is made with. */
function KeyHints({ actions }: { readonly actions: Hints }): VNode {
  return (
    <p class="hints" aria-hidden="true">
      {actions.map(([action, says]) => (
        <span key={action}>
          <kbd>{keyLabel(KEY_BINDINGS.find((binding) => binding.action === action)?.keys[0] ?? '')}</kbd> {says}
        </span>
      ))}
    </p>
  );
}

function ErrorBanner({ text, onDismiss }: { readonly text: string; onDismiss(): void }): VNode {
  return (
    <div class="error-banner" role="alert">
      <Icon name="error" />
      <p>{text}</p>
      <button type="button" class="button-quiet" aria-label="Dismiss" onClick={onDismiss}>
        <Icon name="close" />
      </button>
    </div>
  );
}

/** The keys of the review, in a dialog that Escape closes. */
export function ReviewKeyHelp({ onClose }: { onClose(): void }): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="key-help" ref={dialog} onClose={onClose} aria-labelledby="key-help-title">
      <header>
        <h2 id="key-help-title">Keys</h2>
        <button type="button" class="button-quiet" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      <dl>
        {KEY_BINDINGS.map(({ action, keys, label: says }) => (
          <div key={action}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{keyLabel(key)}</kbd>
              ))}
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
