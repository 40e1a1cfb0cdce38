import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../base/icon';
import { KeyHelp } from './keyHelp';
import type { ReviewAction } from './keys';
import { onReviewKeys } from './onReviewKeys';
import { ReviewBody } from './reviewBody';
import type { ReviewSession } from './reviewSession';

/** What the page comes back with after it was hidden or reloaded. */
export interface PageMemory {
  /** By this the host finds the review to restore. */
  readonly caseUri: string;
  readonly sideBySide: boolean;
  readonly selected: string | undefined;
}

export interface ReviewPageProps {
  readonly session: ReviewSession;
  readonly sideBySide: boolean;
  onRemember(memory: PageMemory): void;
}

/** The whole page: the review, and around it what is said when something happens. */
export function ReviewPage({ session, sideBySide: initially, onRemember }: ReviewPageProps): VNode {
  const [{ state, selected, texts, busy, error, announcement }, setView] = useState(session.view);
  const [sideBySide, setSideBySide] = useState(initially);
  const [folded, setFolded] = useState(true);
  const [helpShown, setHelpShown] = useState(false);
  const [hiddenShown, setHiddenShown] = useState(false);
  const actions: Record<ReviewAction, () => unknown> = {
    next: () => session.step(1),
    previous: () => session.step(-1),
    accept: () => session.decide('accept'),
    reject: () => session.decide('reject'),
    acceptAll: () => session.acceptAll(),
    undo: () => session.undo(),
    stage: () => session.stage(),
    toggleHidden: () => setHiddenShown((value) => !value),
    toggleSideBySide: () => setSideBySide((value) => !value),
    toggleFolding: () => setFolded((value) => !value),
    openDiff: () => session.openDiff(),
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
    if (caseUri !== undefined) onRemember({ caseUri, sideBySide, selected });
  }, [caseUri, sideBySide, selected]);

  return (
    <>
      <p class="visually-hidden" aria-live="polite">
        {announcement}
      </p>
      {busy && <div class="progress" />}
      {error !== undefined && <ErrorBanner text={error} onDismiss={() => session.dismissError()} />}
      {state && (
        <ReviewBody
          state={state}
          selected={selected}
          texts={texts}
          busy={busy}
          hiddenShown={hiddenShown}
          layout={{ sideBySide, folded }}
          actions={actions}
          onSelect={(id) => session.select(id)}
        />
      )}
      {helpShown && <KeyHelp onClose={() => setHelpShown(false)} />}
    </>
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
