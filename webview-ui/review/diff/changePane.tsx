import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Change } from '../../../src/core/model/change';
import type { ReviewedChange } from '../../../src/protocol/review';
import type { ReviewState } from '../../../src/protocol/reviewPanel';
import { Icon } from '../../base/icon';
import type { ReviewAction } from '../session/reviewKeys';
import { SIDES } from '../session/words';
import { gistOf } from './changeGist';
import { DiffPane } from './diffPane';
import { type DiffLayout, hasTwoSides } from './diffView';
import { hasMedia, MediaPane } from './mediaPane';
import { PlainDiffPane } from './plainDiffPane';

export interface ChangePaneProps {
  readonly change: ReviewedChange;
  readonly kind: ReviewState['kind'];
  readonly against: ReviewState['against'];
  /** False for the first run of a case, which is accepted or rejected as a whole. */
  readonly hasBaseline: boolean;
  readonly canDecide: boolean;
  readonly layout: DiffLayout;
  /** Why Monaco cannot be used, once that is known. */
  readonly plainReason: string | undefined;
  /** Why the next decision about it is made, as far as that is written. */
  readonly note: string;
  readonly noteRequest: number;
  readonly actions: Readonly<Record<ReviewAction, () => unknown>>;
  onNote(text: string): void;
  onMonacoFailure(reason: string): void;
}

/** One change with its two texts, and what can be done about it. */
export function ChangePane(props: ChangePaneProps): VNode {
  const { change, against, layout, plainReason, note, noteRequest, canDecide, onNote } = props;
  return (
    <section class="change-pane" aria-label={change.title}>
      <Toolbar {...props} />
      {plainReason !== undefined && (
        <p class="plain-notice" role="status">
          <Icon name="info" /> Plain text, because the diff editor does not work here: {plainReason}.
        </p>
      )}
      <Sides change={change} against={against} beside={plainReason === undefined && layout.sideBySide} />
      <Content {...props} />
      {canDecide && <NoteField key={change.id} note={note} request={noteRequest} onNote={onNote} />}
    </section>
  );
}

function Content({ change, layout, plainReason, actions, onMonacoFailure }: ChangePaneProps): VNode {
  if (change.deferred !== undefined)
    return (
      <p class="diff arriving quiet" role="status">
        The texts are on their way.
      </p>
    );
  if (hasMedia(change)) return <MediaPane change={change} />;
  if (plainReason !== undefined)
    return <PlainDiffPane change={change} folded={layout.folded} onUnfold={actions.toggleFolding} />;
  return <DiffPane change={change} layout={layout} onFailure={onMonacoFailure} />;
}

interface SidesProps {
  readonly change: Change;
  readonly against: ReviewState['against'];
  readonly beside: boolean;
}

/** Which text is which: above each of two, or a legend for both in one. */
function Sides({ change, against, beside }: SidesProps): VNode {
  const { before, after, onlyBefore, onlyAfter } = SIDES[against];
  if (change.kind === 'moved') return <p class="sides quiet">{gistOf(change).preview}</p>;
  if (!hasTwoSides(change)) return <p class="sides quiet">Only in {change.after === '' ? onlyBefore : onlyAfter}</p>;
  return (
    <div class={`sides quiet ${beside ? 'beside' : ''}`}>
      <span class="side-baseline">{before}</span>
      <span class="side-run">{after}</span>
    </div>
  );
}

function Toolbar({ change, kind, hasBaseline, canDecide, layout, plainReason, actions }: ChangePaneProps): VNode {
  const { decision, reason, title } = change;
  const toReject =
    kind === 'run' ? 'Keep the baseline as it is, and go on (R)' : 'Take this out of the file again, and go on (R)';
  return (
    <header class="toolbar">
      <h2>{title}</h2>
      {decision !== 'open' && <span class={`badge ${decision}`}>{decision}</span>}
      {reason !== undefined && <span class="reason quiet">{reason}</span>}
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
      {kind === 'tape' && change.place.after !== undefined && (
        <button
          type="button"
          class="button-quiet"
          aria-keyshortcuts="t"
          title="Show this interaction in the transcript (T)"
          onClick={actions.openTranscript}
        >
          Transcript
        </button>
      )}
      <button
        type="button"
        class="button-secondary"
        aria-keyshortcuts="r"
        title={toReject}
        disabled={!canDecide || decision === 'rejected'}
        onClick={actions.reject}
      >
        Reject
      </button>
      <button
        type="button"
        class="button"
        aria-keyshortcuts="a"
        title={`${acceptTitle(kind, hasBaseline)}, and go on (A)`}
        disabled={!canDecide || decision === 'accepted'}
        onClick={actions.accept}
      >
        <Icon name="check" />
        {hasBaseline ? 'Accept' : 'Accept as baseline'}
      </button>
    </header>
  );
}

function acceptTitle(kind: ReviewState['kind'], hasBaseline: boolean): string {
  if (kind !== 'run') return 'This is as it should be';
  return hasBaseline ? 'Take this change into the baseline' : 'Make this run the baseline';
}

export interface NoteFieldProps {
  readonly note: string;
  /** Grows with every request to write, each of which leads into the field. */
  readonly request: number;
  onNote(text: string): void;
}

/** Why, in the words of who decides; it is kept with the decision. */
export function NoteField({ note, request, onNote }: NoteFieldProps): VNode {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (request > 0) input.current?.focus();
  }, [request]);
  return (
    <label class="note">
      <span class="quiet">Note</span>
      <input
        ref={input}
        type="text"
        aria-keyshortcuts="e"
        placeholder="Why? Kept with the decision (E)"
        value={note}
        onInput={({ currentTarget }) => onNote(currentTarget.value)}
        onKeyDown={({ key }) => (key === 'Enter' || key === 'Escape') && input.current?.blur()}
      />
    </label>
  );
}
