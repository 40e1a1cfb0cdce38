import type { RefObject, VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ReviewedChange } from '../../../src/contracts/engine/review';
import type { ReviewState } from '../../../src/contracts/pages/reviewPanel';
import type { Change } from '../../../src/core/model/change';
import { usageText } from '../../../src/core/review/usageText';
import { message, t } from '../../../src/core/text/l10n';
import { listed } from '../../../src/core/text/listed';
import { Icon } from '../../base/icon';
import { ActionButton } from '../actionButton';
import { SameLine } from '../sameChanges';
import type { ReviewActions } from '../session/reviewKeys';
import type { SideNames } from '../session/words';
import { gistOf } from './changeGist';
import { DiffPane } from './diffPane';
import { type DiffLayout, hasTwoSides, INLINE_BELOW } from './diffView';
import { laidOut } from './laidOut';
import { hasMedia, MediaPane } from './mediaPane';
import { PlainDiffPane } from './plainDiffPane';
import { RecordingPane } from './recordingPane';

export interface ChangePaneProps {
  readonly change: ReviewedChange;
  readonly kind: ReviewState['kind'];
  /** Of the two sides. */
  readonly names: SideNames;
  /** False in a comparison, which has nothing to decide. */
  readonly isReview: boolean;
  /** In how many files the change is the same, this one included; absent if in no other. */
  readonly sameFiles: number | undefined;
  /** Whether the later side is a tape that can be opened as it is. */
  readonly hasTranscript: boolean;
  readonly canDecide: boolean;
  readonly layout: DiffLayout;
  /** Why Monaco cannot be used, once that is known. */
  readonly plainReason: string | undefined;
  /** The note that the next decision keeps as its reason. */
  readonly note: string;
  readonly noteRequest: number;
  readonly actions: ReviewActions;
  onNote(text: string): void;
  onMonacoFailure(reason: string): void;
}

/** One change: its two texts and the actions on it. */
export function ChangePane(given: ChangePaneProps): VNode {
  const change = useMemo(() => laidOut(given.change), [given.change]);
  const props = { ...given, change };
  const { names, plainReason, note, noteRequest, canDecide, onNote } = props;
  const pane = useRef<HTMLElement>(null);
  const isWide = useIsWide(pane);
  const layout = { ...props.layout, sideBySide: props.layout.sideBySide && isWide };
  return (
    <section class="change-pane" aria-label={change.title} ref={pane}>
      <Toolbar {...props} layout={layout} isWide={isWide} />
      {plainReason !== undefined && (
        <p class="plain-notice" role="status">
          <Icon name="info" /> {t('Shown as plain text because the diff editor failed: {0}.', plainReason)}
        </p>
      )}
      {props.sameFiles !== undefined && (
        <SameLine files={props.sameFiles} actions={props.actions} disabled={!canDecide} />
      )}
      {change.counterparts !== undefined && change.recording === undefined && (
        <p class="sides quiet">{t('Decided with the result: {0}', listed(change.counterparts))}</p>
      )}
      {change.usage !== undefined && change.subject !== 'usage' && <p class="sides quiet">{usageText(change.usage)}</p>}
      {change.recording === undefined && (
        <Sides change={change} names={names} beside={plainReason === undefined && layout.sideBySide} />
      )}
      <Content {...props} layout={layout} />
      {canDecide && <NoteField key={change.id} note={note} request={noteRequest} onNote={onNote} />}
    </section>
  );
}

/** Whether an element has room for two texts beside each other. */
function useIsWide(element: RefObject<HTMLElement | null>): boolean {
  const [isWide, setWide] = useState(true);
  useLayoutEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => entry && setWide(entry.contentRect.width >= INLINE_BELOW));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return isWide;
}

function Content({ change, layout, plainReason, actions, onMonacoFailure }: ChangePaneProps): VNode {
  if (change.recording !== undefined) return <RecordingPane steps={change.recording} />;
  if (change.deferred !== undefined)
    return (
      <p class="diff arriving quiet" role="status">
        {t('Loading…')}
      </p>
    );
  if (hasMedia(change)) return <MediaPane change={change} />;
  if (plainReason !== undefined)
    return <PlainDiffPane change={change} folded={layout.folded} onUnfold={actions.toggleFolding} />;
  return <DiffPane change={change} layout={layout} onFailure={onMonacoFailure} />;
}

interface SidesProps {
  readonly change: Change;
  readonly names: SideNames;
  readonly beside: boolean;
}

/** The names of the two sides: one above each text, or a legend where both are in one. */
function Sides({ change, names, beside }: SidesProps): VNode {
  const { before, after, onlyBefore, onlyAfter } = names;
  if (change.kind === 'moved') return <p class="sides quiet">{gistOf(change).preview}</p>;
  if (!hasTwoSides(change)) return <p class="sides quiet">{change.after === '' ? onlyBefore : onlyAfter}</p>;
  return (
    <div class={`sides quiet ${beside ? 'beside' : ''}`}>
      <span class="side-baseline">{before}</span>
      <span class="side-run">{after}</span>
    </div>
  );
}

interface ToolbarProps extends ChangePaneProps {
  readonly isWide: boolean;
}

const DECISIONS = { accepted: message('accepted'), rejected: message('rejected') } as const;

function Toolbar(props: ToolbarProps): VNode {
  const { decision, reason, title } = props.change;
  return (
    <header class="toolbar">
      <h2>{isNewRecording(props.change) ? t('What the agent did') : title}</h2>
      {decision !== 'open' && <span class={`badge ${decision}`}>{t(DECISIONS[decision])}</span>}
      {reason !== undefined && <span class="reason quiet">{reason}</span>}
      <span class="spacer" />
      <ViewButtons {...props} />
      {props.isReview && <DecisionButtons {...props} />}
    </header>
  );
}

/** How the change is shown, and where else. */
function ViewButtons({ change, hasTranscript, layout, plainReason, actions, isWide }: ToolbarProps): VNode {
  return (
    <>
      {plainReason === undefined && hasTwoSides(change) && (
        <ActionButton
          action="toggleSideBySide"
          actions={actions}
          title={isWide ? t('Toggle side by side') : t('Shown inline: there is no room for two texts side by side')}
          pressed={layout.sideBySide}
          disabled={!isWide}
        >
          {t('Side by side')}
        </ActionButton>
      )}
      {change.recording === undefined && (
        <ActionButton
          action="openDiff"
          actions={actions}
          title={t('Open in the diff editor of VS Code')}
          icon="link-external"
        >
          <span class="label">{t('Open in diff editor')}</span>
        </ActionButton>
      )}
      {hasTranscript && change.place.after !== undefined && (
        <ActionButton action="openTranscript" actions={actions} title={t('Show in transcript')} icon="go-to-file">
          <span class="label">{t('Transcript')}</span>
        </ActionButton>
      )}
    </>
  );
}

function DecisionButtons({ change, kind, canDecide, actions }: ChangePaneProps): VNode {
  const { decision } = change;
  return (
    <span class="decision-buttons">
      <ActionButton
        action="reject"
        actions={actions}
        kind="button-secondary"
        title={kind === 'run' ? t('Keep the baseline as it is') : t('Revert this change in the file')}
        icon="close"
        disabled={!canDecide || decision === 'rejected'}
      >
        {t('Reject')}
      </ActionButton>
      <ActionButton
        action="accept"
        actions={actions}
        kind="button"
        title={acceptTitle(kind, change)}
        icon="check"
        disabled={!canDecide || decision === 'accepted'}
      >
        {isNewRecording(change) ? t('Accept as Baseline') : t('Accept')}
      </ActionButton>
    </span>
  );
}

function isNewRecording({ kind, recording }: Change): boolean {
  return recording !== undefined && kind === 'added';
}

function acceptTitle(kind: ReviewState['kind'], change: Change): string {
  if (isNewRecording(change)) return t('Accept this recording as the baseline');
  return kind === 'run' ? t('Accept this change into the baseline') : t('Accept this change');
}

interface NoteFieldProps {
  readonly note: string;
  /** Counts the requests to write a note; each moves the focus into the field. */
  readonly request: number;
  onNote(text: string): void;
}

/** The reason for a decision, in the user's words. */
function NoteField({ note, request, onNote }: NoteFieldProps): VNode {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (request > 0) input.current?.focus();
  }, [request]);
  return (
    <label class="note">
      <span class="quiet">{t('Note')}</span>
      <input
        ref={input}
        type="text"
        aria-keyshortcuts="e"
        placeholder={t('Reason, saved with the decision (E)')}
        value={note}
        onInput={({ currentTarget }) => onNote(currentTarget.value)}
        onKeyDown={({ key }) => (key === 'Enter' || key === 'Escape') && input.current?.blur()}
      />
    </label>
  );
}
