import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ReviewedChange } from '../../src/contracts/engine/review';
import type { ReviewState } from '../../src/contracts/pages/reviewPanel';
import { t } from '../../src/core/text/l10n';
import { ChangePane, type ChangePaneProps } from './diff/changePane';
import { EmptyState, EndScreen } from './endScreen';
import { ChangeFilterBar } from './list/changeFilterBar';
import { ChangeList } from './list/changeList';
import type { PageState } from './session/reviewActions';
import type { ReviewActions } from './session/reviewKeys';
import type { ReviewSession } from './session/reviewSession';
import { hasTranscript, onlyPending, type ReviewView, selectedChange, shownChanges } from './session/reviewView';
import { sideNames } from './session/words';
import { Summary } from './summary';

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
export function ReviewBody(props: ReviewBodyProps): VNode {
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
