import type { VNode } from 'preact';
import type { Change } from '../../src/core/review/change';
import type { ReviewedChange, ReviewState } from '../../src/protocol/review';
import { Icon } from '../base/icon';
import { DiffPane } from './diffPane';
import { type DiffLayout, hasTwoSides } from './diffView';
import type { ReviewAction } from './keys';
import { PlainDiffPane } from './plainDiffPane';
import { sideNames } from './words';

export interface ChangePaneProps {
  readonly change: ReviewedChange;
  readonly kind: ReviewState['kind'];
  /** False for the first run of a case, which is accepted or rejected as a whole. */
  readonly hasBaseline: boolean;
  readonly canDecide: boolean;
  readonly layout: DiffLayout;
  /** Why Monaco cannot be used, once that is known. */
  readonly plainReason: string | undefined;
  readonly actions: Readonly<Record<ReviewAction, () => unknown>>;
  onMonacoFailure(reason: string): void;
}

/** One change with its two texts, and what can be done about it. */
export function ChangePane(props: ChangePaneProps): VNode {
  const { change, kind, layout, plainReason, actions, onMonacoFailure } = props;
  return (
    <section class="change-pane" aria-label={change.title}>
      <Toolbar {...props} />
      {plainReason !== undefined && (
        <p class="plain-notice" role="status">
          <Icon name="info" /> Plain text, because the diff editor does not work here: {plainReason}.
        </p>
      )}
      <Sides change={change} kind={kind} beside={plainReason === undefined && layout.sideBySide} />
      {plainReason === undefined ? (
        <DiffPane change={change} layout={layout} onFailure={onMonacoFailure} />
      ) : (
        <PlainDiffPane change={change} folded={layout.folded} onUnfold={actions.toggleFolding} />
      )}
    </section>
  );
}

interface SidesProps {
  readonly change: Change;
  readonly kind: ReviewState['kind'];
  readonly beside: boolean;
}

/** Which text is which: above each of two, or a legend for both in one. */
function Sides({ change, kind, beside }: SidesProps): VNode {
  const { before, after } = sideNames(kind);
  if (!hasTwoSides(change))
    return (
      <p class="sides quiet">
        Only in {(change.after === '' ? before : after).toLowerCase().replace(/^(?!this|now)/, 'the ')}
      </p>
    );
  return (
    <div class={`sides quiet ${beside ? 'beside' : ''}`}>
      <span class="side-baseline">{before}</span>
      <span class="side-run">{after}</span>
    </div>
  );
}

function Toolbar({ change, hasBaseline, canDecide, layout, plainReason, actions }: ChangePaneProps): VNode {
  const rejected = change.decision === 'rejected';
  return (
    <header class="toolbar">
      <h2>{change.title}</h2>
      {rejected && <span class="badge">rejected</span>}
      <span class="spacer" />
      {plainReason === undefined && hasTwoSides(change) && (
        <button
          type="button"
          class="button-quiet"
          aria-pressed={layout.sideBySide}
          aria-keyshortcuts="s"
          title="Side by side or inline (S)"
          onClick={actions.toggleSideBySide}
        >
          Side by side
        </button>
      )}
      <button
        type="button"
        class="button-quiet"
        aria-keyshortcuts="d"
        title="Open this change in the diff editor of VS Code (D)"
        onClick={actions.openDiff}
      >
        <Icon name="link-external" />
        Open in diff editor
      </button>
      <button
        type="button"
        class="button-secondary"
        aria-keyshortcuts="r"
        title="Keep the baseline as it is, and go on (R)"
        disabled={!canDecide || rejected}
        onClick={actions.reject}
      >
        Reject
      </button>
      <button
        type="button"
        class="button"
        aria-keyshortcuts="a"
        title={`${hasBaseline ? 'Take this change into the baseline' : 'Make this run the baseline'}, and go on (A)`}
        disabled={!canDecide}
        onClick={actions.accept}
      >
        <Icon name="check" />
        {hasBaseline ? 'Accept' : 'Accept as baseline'}
      </button>
    </header>
  );
}
