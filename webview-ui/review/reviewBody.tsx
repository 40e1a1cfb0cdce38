import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ReviewState } from '../../src/protocol/reviewPanel';
import { Icon } from '../base/icon';
import { ChangePane } from './diff/changePane';
import type { DiffLayout } from './diff/diffView';
import { ChangeFilterBar } from './list/changeFilterBar';
import { ChangeList } from './list/changeList';
import type { ReviewAction } from './session/reviewKeys';
import type { ReviewSession } from './session/reviewSession';
import { openChanges, type ReviewView, selectedChange, shownChanges } from './session/reviewView';
import { emptyState } from './session/words';
import { Summary } from './summary';

/** So few changes need no search. */
const FEW = 3;

/** How often somebody asked to find, and to write a note: each time leads into the field. */
export interface FieldRequests {
  readonly find: number;
  readonly note: number;
}

export interface ReviewBodyProps {
  readonly view: ReviewView;
  readonly state: ReviewState;
  readonly session: ReviewSession;
  /** What normalising rules hide is listed, too. */
  readonly hiddenShown: boolean;
  readonly layout: DiffLayout;
  readonly requests: FieldRequests;
  readonly actions: Readonly<Record<ReviewAction, () => unknown>>;
}

/** The summary, the list of changes and the change that is looked at, or why there is none. */
export function ReviewBody(props: ReviewBodyProps): VNode {
  const { view, state, session, hiddenShown, layout, requests, actions } = props;
  const [plainReason, setPlainReason] = useState<string>();
  const { filter, texts, selected, viewed, busy, notes } = view;
  const shown = useMemo(() => shownChanges(view), [state.changes, filter, texts]);
  if (state.notice !== undefined) return <EmptyState title={state.caseName} text={state.notice} />;
  const change = selectedChange(view);
  const canDecide = state.canDecide && !busy;
  return (
    <main class="review" aria-busy={busy}>
      <Summary state={state} busy={busy} hiddenShown={hiddenShown} actions={actions} />
      {state.changes.length > 0 && (
        <div class="changes">
          {state.changes.length > FEW && (
            <ChangeFilterBar
              changes={state.changes}
              shown={shown.length}
              filter={filter}
              findRequest={requests.find}
              onFilter={(next) => session.filter(next)}
            />
          )}
          <ChangeList
            changes={shown}
            selected={selected}
            viewed={viewed}
            canDecide={canDecide}
            onSelect={(id) => session.select(id)}
            onAccept={(ids) => session.decideAbout('accepted', pendingOf(state, ids))}
          />
        </div>
      )}
      {change === undefined ? (
        <EmptyState icon={shown.length > 0 || state.changes.length === 0} {...emptyStateText(state, shown.length)} />
      ) : (
        <ChangePane
          change={change}
          kind={state.kind}
          against={state.against}
          hasBaseline={state.hasBaseline}
          canDecide={canDecide}
          layout={layout}
          plainReason={plainReason}
          note={notes.get(change.id) ?? ''}
          noteRequest={requests.note}
          actions={actions}
          onNote={(text) => session.note(text)}
          onMonacoFailure={setPlainReason}
        />
      )}
    </main>
  );
}

function pendingOf({ changes }: ReviewState, ids: readonly string[]): readonly string[] {
  return openChanges(changes)
    .map(({ id }) => id)
    .filter((id) => ids.includes(id));
}

function emptyStateText(state: ReviewState, shown: number): { readonly title: string; readonly text: string } {
  if (shown === 0 && state.changes.length > 0)
    return { title: 'Nothing is found', text: 'No change says this. Escape in the field shows all of them again.' };
  if (openChanges(state.changes).length > 0)
    return {
      title: 'Nothing left here',
      text: 'What is listed is decided. Press F, or empty the field, for the others.',
    };
  return emptyState(state);
}

interface EmptyStateProps {
  readonly icon?: boolean;
  readonly title: string;
  readonly text: string;
}

/** Instead of a change, when there is none. */
function EmptyState({ icon = false, title, text }: EmptyStateProps): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The button that was pressed last may just have gone: the keyboard goes on from here.
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <section class="calm">
      {icon && <Icon name="check" />}
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <p class="quiet">{text}</p>
    </section>
  );
}
