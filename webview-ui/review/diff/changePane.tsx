import type { RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ReviewedChange } from '../../../src/contracts/engine/review';
import type { ReviewState } from '../../../src/contracts/pages/reviewPanel';
import { type DiffBlock, plainDiff } from '../../../src/core/diff/plainDiff';
import type { Change, RecordedStep } from '../../../src/core/model/change';
import type { MediaPart } from '../../../src/core/model/message';
import { usageText } from '../../../src/core/review/usageText';
import { accepts } from '../../../src/core/schema/accepts';
import { optional, shape, text } from '../../../src/core/schema/schema';
import { counted, grouped } from '../../../src/core/text/counts';
import { joinedByCommas } from '../../../src/core/text/joinedByCommas';
import { message, t } from '../../../src/core/text/l10n';
import { embeddedMedia } from '../../../src/core/transcript/embeddedMedia';
import { CodeText } from '../../base/code/codeText';
import { Icon } from '../../base/icon';
import { Media } from '../../base/media';
import { ActionButton } from '../actionButton';
import { SameLine } from '../sameChanges';
import type { ReviewActions } from '../session/reviewKeys';
import type { SideNames } from '../session/words';
import { gistOf } from './changeGist';
import { type DiffLayout, type DiffView, hasTwoSides, INLINE_BELOW, layoutFor } from './diffView';
import { laidOut } from './laidOut';
import { loadMonacoDiff } from './loadMonacoDiff';

const MEDIA_PART = shape({
  type: text('', { enum: ['image', 'audio', 'file'] }),
  mime: optional(text()),
  base64: optional(text()),
  url: optional(text()),
  name: optional(text()),
});

/** Whether a change has pictures or sounds that are on the tape, so that they can be shown. */
function hasMedia({ subject, before, after }: Change): boolean {
  return subject === 'media' && [before, after].some((side) => mediaOf(side) !== undefined);
}

/** Two pictures or sounds, side by side. */
function MediaPane({ change }: { readonly change: Change }): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
    <section class="diff media-sides" tabIndex={0} aria-label={t('{0}, before and after', change.title)}>
      <Side text={change.before} label={t('Before')} />
      <Side text={change.after} label={t('After')} />
    </section>
  );
}

function Side({ text: json, label }: { readonly text: string; readonly label: string }): VNode {
  const media = mediaOf(json);
  if (media === undefined) return <p class="quiet">{json === '' ? t('None') : json.slice(0, 200)}</p>;
  return (
    <figure>
      <Media media={media} label={label} />
      <figcaption class="quiet">{joinedByCommas([media.mime, kilobytes(media.base64)])}</figcaption>
    </figure>
  );
}

function mediaOf(json: string): ReturnType<typeof embeddedMedia> {
  if (json === '') return undefined;
  try {
    const part: unknown = JSON.parse(json);
    return accepts(MEDIA_PART, part) ? embeddedMedia(part as MediaPart) : undefined;
  } catch {
    // Other content is shown as text.
    return undefined;
  }
}

function kilobytes(base64: string): string {
  return t('{0} kB', grouped(Math.max(1, Math.round((base64.length * 3) / 4 / 1000))));
}

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;
const LABELS = { same: '', removed: message('removed: '), added: message('added: ') } as const;

interface PlainDiffPaneProps {
  readonly change: Change;
  readonly folded: boolean;
  onUnfold(): void;
}

/** A diff as text, used where Monaco fails. */
function PlainDiffPane({ change, folded, onUnfold }: PlainDiffPaneProps): VNode {
  const { before, after, title } = change;
  const blocks = useMemo(() => plainDiff(before, after, folded), [before, after, folded]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
    <section class="diff plain-diff" tabIndex={0} aria-label={t('{0}, as text', title)}>
      {blocks.map((block, index) => (
        <Block key={index} block={block} onUnfold={onUnfold} />
      ))}
    </section>
  );
}

function Block({ block, onUnfold }: { readonly block: DiffBlock; onUnfold(): void }): VNode {
  if (block.kind === 'folded')
    return (
      <button type="button" class="folded quiet" title={t('Show All Lines (U)')} onClick={onUnfold}>
        {counted(block.lines, '{0} unchanged line', '{0} unchanged lines')}
      </button>
    );
  return (
    <pre class={`lines ${block.kind}`} data-sign={SIGNS[block.kind]}>
      <span class="visually-hidden">{t(LABELS[block.kind])}</span>
      {block.pieces.map(({ text, marked }) => (marked ? <mark>{text}</mark> : text))}
    </pre>
  );
}

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
        <p class="sides quiet">
          {t('Also applies to the result of the run: {0}', joinedByCommas(change.counterparts))}
        </p>
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
          title={
            isWide ? t('Toggle Side by Side') : t('Shown inline because there is not enough room for side by side')
          }
          pressed={layout.sideBySide}
          disabled={!isWide}
        >
          {t('Side by Side')}
        </ActionButton>
      )}
      {change.recording === undefined && (
        <ActionButton
          action="openDiff"
          actions={actions}
          title={t('Open in the diff editor of VS Code')}
          icon="link-external"
        >
          <span class="label">{t('Open in Diff Editor')}</span>
        </ActionButton>
      )}
      {hasTranscript && change.place.after !== undefined && (
        <ActionButton action="openTranscript" actions={actions} title={t('Show in Transcript')} icon="go-to-file">
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
        {kind === 'run' && isNewRecording(change) ? t('Accept as Baseline') : t('Accept')}
      </ActionButton>
    </span>
  );
}

function isNewRecording({ kind, recording }: Change): boolean {
  return recording !== undefined && kind === 'added';
}

function acceptTitle(kind: ReviewState['kind'], change: Change): string {
  if (kind !== 'run') return t('Accept this change');
  return isNewRecording(change)
    ? t('Accept this recording as the baseline')
    : t('Accept this change and update the baseline');
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

/** What the agent did in a recording that is new or gone as a whole. */
function RecordingPane({ steps }: { readonly steps: readonly RecordedStep[] }): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus.
    <section class="diff recording" aria-label={t('What the agent did')} tabIndex={0}>
      <ol>
        {steps.map(({ title, text, language }, index) => (
          <li key={index}>
            <h3>{title}</h3>
            <pre class={language}>
              <CodeText text={text} language={language === 'json' ? language : undefined} />
            </pre>
          </li>
        ))}
      </ol>
    </section>
  );
}

interface DiffPaneProps {
  readonly change: Change;
  readonly layout: DiffLayout;
  /** Called with the reason when Monaco cannot be used. */
  onFailure(reason: string): void;
}

/** The two texts of a change in Monaco's diff editor. One editor serves all changes. */
function DiffPane({ change, layout, onFailure }: DiffPaneProps): VNode {
  const container = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<DiffView>();

  useEffect(() => {
    if (container.current === null) return;
    let gone = false;
    let created: DiffView | undefined;
    const fail = (reason: unknown): void => {
      if (!gone) onFailure(reason instanceof Error ? reason.message : String(reason));
    };
    loadMonacoDiff(container.current, fail).then((loaded) => {
      created = loaded;
      if (gone) loaded.dispose();
      else setView(loaded);
    }, fail);
    return () => {
      gone = true;
      created?.dispose();
    };
  }, []);

  const { sideBySide, folded } = layoutFor(change, layout);
  const { before, after, language } = change;
  useEffect(() => view?.show(change, { sideBySide, folded }), [view, before, after, language, sideBySide, folded]);

  return <div class="diff" ref={container} aria-busy={view === undefined} />;
}
