import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ReviewedChange, ReviewState } from '../../src/protocol/review';
import { Icon } from '../base/icon';
import { ChangeList } from './changeList';
import { ChangePane } from './changePane';
import type { DiffLayout } from './diffView';
import { HiddenList } from './hiddenList';
import type { ReviewAction } from './keys';
import { openChanges } from './reviewModel';
import type { ReviewView } from './reviewSession';
import { afterword, count, headline, summary } from './words';

export interface ReviewBodyProps {
  readonly state: ReviewState;
  readonly selected: string | undefined;
  readonly texts: ReviewView['texts'];
  readonly busy: boolean;
  /** What normalising rules hide is listed, too. */
  readonly hiddenShown: boolean;
  readonly layout: DiffLayout;
  readonly actions: Readonly<Record<ReviewAction, () => unknown>>;
  onSelect(id: string): void;
}

/** The summary, the list of changes and the change that is looked at, or why there is none. */
export function ReviewBody({
  state,
  selected,
  texts,
  busy,
  hiddenShown,
  layout,
  actions,
  onSelect,
}: ReviewBodyProps): VNode {
  const [plainReason, setPlainReason] = useState<string>();
  if (state.notice !== undefined) return <Calm title={state.caseName} text={state.notice} />;
  const listed = state.changes.find(({ id }) => id === selected);
  const change = listed && withTexts(listed, texts);
  return (
    <main class="review" aria-busy={busy}>
      <Summary state={state} busy={busy} hiddenShown={hiddenShown} actions={actions} />
      {state.changes.length > 0 && <ChangeList changes={state.changes} selected={selected} onSelect={onSelect} />}
      {change === undefined ? (
        <Calm icon title="Nothing left to review" text={afterword(state)} />
      ) : (
        <ChangePane
          change={change}
          kind={state.kind}
          hasBaseline={state.hasBaseline}
          canDecide={state.canDecide && !busy}
          layout={layout}
          plainReason={plainReason}
          actions={actions}
          onMonacoFailure={setPlainReason}
        />
      )}
    </main>
  );
}

function withTexts(change: ReviewedChange, texts: ReviewView['texts']): ReviewedChange {
  return { ...change, ...texts.get(change.id) };
}

type SummaryProps = Pick<ReviewBodyProps, 'state' | 'busy' | 'hiddenShown' | 'actions'>;

function Summary({ state, busy, hiddenShown, actions }: SummaryProps): VNode {
  const several = state.hasBaseline && openChanges(state.changes).length > 1;
  return (
    <header class="summary">
      <div>
        <h1>{headline(state)}</h1>
        <p class="quiet">{summary(state, Date.now())}</p>
        {hiddenShown && <HiddenList hidden={state.hidden} />}
        {!state.canDecide && (
          <p class="quiet">To accept or reject, open this in a trusted workspace of a desktop or remote window.</p>
        )}
      </div>
      {state.hidden.length > 0 && (
        <button
          type="button"
          class="button-quiet"
          aria-keyshortcuts="h"
          aria-pressed={hiddenShown}
          title="What the rules of [normalise] in tapedeck.toml say means nothing (H)"
          onClick={actions.toggleHidden}
        >
          {count(state.hidden.length, 'difference')} hidden
        </button>
      )}
      {state.canDecide && (
        <button
          type="button"
          class="button-quiet"
          aria-keyshortcuts="z"
          title="Take back the last decision (Z)"
          disabled={busy}
          onClick={actions.undo}
        >
          Undo
        </button>
      )}
      {several && (
        <button
          type="button"
          class="button-secondary"
          aria-keyshortcuts="Shift+A"
          title="Take all changes that are left into the baseline (Shift+A)"
          disabled={busy || !state.canDecide}
          onClick={actions.acceptAll}
        >
          Accept all
        </button>
      )}
      <button type="button" class="button-quiet" aria-label="Keys" title="Keys (?)" onClick={actions.help}>
        <Icon name="question" />
      </button>
    </header>
  );
}

interface CalmProps {
  readonly icon?: boolean;
  readonly title: string;
  readonly text: string;
}

/** Instead of a change, when there is none. */
function Calm({ icon = false, title, text }: CalmProps): VNode {
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
