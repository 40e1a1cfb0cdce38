import type { RefObject, VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { DiffPiece } from '../../../src/core/diff/diffText';
import { counted, grouped } from '../../../src/core/text/counts';
import { t } from '../../../src/core/text/l10n';
import type { DescribedChange } from '../../../src/core/transcript/describeSilentChange';
import type { MessageExtra } from '../../../src/core/transcript/messageExtras';
import { roleName } from '../../../src/core/transcript/roleName';
import type { InteractionBody, TranscriptEntry } from '../../../src/core/transcript/transcript';
import { Icon } from '../../base/icon';
import { Media } from '../../base/media';
import { memo } from '../../base/memo';
import { DriftCards } from '../drift/drifts';
import { useEditor } from '../edit/editing';
import { ResponseForm } from '../edit/responseForm';
import { previewText } from '../message/cards';
import { TextDiff } from '../message/diffText';
import { FoldedCode } from '../message/foldedCode';
import { MessageBody } from '../message/messageBody';
import { type AsideRun, describeRun, foldRun } from '../rows/asideRuns';
import type { Row } from '../rows/rows';
import type { VirtualRows } from '../rows/useVirtualRows';
import { useActions } from '../state/actions';
import { useBody } from '../state/bodyStore';
import { isEntryOpen, toolLines } from '../state/readingMode';
import { type EntryView, entryLabel, type InteractionView } from '../state/viewModel';
import type { Mode, Opened, ViewState } from '../state/viewState';
import { InteractionHead } from './interactionHead';
import { SourceView } from './sourceView';

interface FeedProps {
  readonly feed: RefObject<HTMLDivElement | null>;
  readonly rows: readonly Row[];
  readonly virtual: VirtualRows;
  readonly view: ViewState;
  onCurrent(key: string): void;
}

/** The others are one click away. */
const MAX_SHOWN = 6;

/** One article of the feed: a message, below the heading of its interaction if it is the first. */
const EntryArticle = memo((props: EntryArticleProps): VNode => {
  const { view, head, aside, isCurrent, position, count, heightOf } = props;
  const isFolded = aside?.isOpen === false;
  const body = useBody(view.interaction);
  // Until the body arrives, the article keeps its height: otherwise others would move in, and out again.
  const [minHeight] = useState(() => heightOf(view.key));
  const entry = body?.entries[view.position];
  return (
    <article
      class={classes('entry', head !== undefined && 'first', `role-${roleClass(view.summary.role)}`)}
      style={body === undefined ? { minHeight: `${minHeight}px` } : undefined}
      data-key={view.key}
      data-interaction={view.interaction}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={isFolded ? asideLabel(aside) : entryLabel(view, entry?.usage?.totalTokens)}
      aria-posinset={position}
      aria-setsize={count}
    >
      {aside !== undefined && <AsideLine run={aside} />}
      {head !== undefined && !isFolded && <Heading {...props} head={head} body={body} />}
      {!isFolded && <EntryContent {...props} entry={entry} />}
      {!isFolded && body !== undefined && showsDetails(props, body) && (
        <DetailList details={body.details} entryKey={view.key} mode={props.mode} opened={props.opened} />
      )}
    </article>
  );
});

/** The messages near the window. Exactly one of them is in the tab order: the one that had the focus last. */
export function Feed({ feed, rows, virtual, view, onCurrent }: FeedProps): VNode {
  const { start, end } = virtual.range;
  const shown = rows.slice(start, end);
  const current = shown.some((row) => row.view.key === view.current) ? view.current : shown[0]?.view.key;
  const onFocusIn = ({ target }: FocusEvent): void => {
    const key = target instanceof Element && target.closest<HTMLElement>('[data-key]')?.dataset.key;
    if (key) onCurrent(key);
  };
  const isHeard = document.body.classList.contains('vscode-using-screen-reader');
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have a label; a feed must have articles.
    <div
      ref={feed}
      class="feed"
      role={shown.length === 0 ? 'group' : 'feed'}
      tabIndex={-1}
      aria-label={isHeard ? t('Transcript. Press Alt+F1 for help, Alt+F2 for all of it as text.') : t('Transcript')}
      onFocusIn={onFocusIn}
    >
      <div class="feed-room" style={{ height: `${virtual.above}px` }} />
      {shown.map(({ view: entry, head, isSource, aside }, index) => (
        <EntryArticle
          key={entry.key}
          view={entry}
          head={head}
          isSource={isSource}
          aside={aside}
          mode={view.mode}
          opened={view.opened[entry.key]}
          isCurrent={entry.key === current}
          position={start + index + 1}
          count={rows.length}
          heightOf={virtual.heightOf}
        />
      ))}
      <div class="feed-room" style={{ height: `${virtual.below}px` }} />
    </div>
  );
}

interface EntryArticleProps {
  readonly view: EntryView;
  readonly head: InteractionView | undefined;
  readonly isSource: boolean;
  readonly aside: AsideRun | undefined;
  readonly mode: Mode;
  readonly opened: Opened | undefined;
  readonly isCurrent: boolean;
  /** From 1. */
  readonly position: number;
  readonly count: number;
  readonly heightOf: (key: string) => number;
}

type HeadingProps = Pick<EntryArticleProps, 'view' | 'isSource' | 'mode' | 'opened'> & {
  readonly head: InteractionView;
  readonly body: InteractionBody | undefined;
};

/** Everything between the interaction before and the first message of this one. */
function Heading({ view, head, isSource, mode, opened, body }: HeadingProps): VNode {
  const count = body?.changes.length ?? head.summary.changes;
  return (
    <>
      <InteractionHead view={head} isSource={isSource} />
      <DriftCards interaction={head.index} />
      {count > 0 && (
        <SilentChanges count={count} changes={body?.changes} entryKey={view.key} mode={mode} opened={opened} />
      )}
    </>
  );
}

type EntryContentProps = EntryArticleProps & { readonly entry: TranscriptEntry | undefined };

/** The message, or what takes its place: its editor, or the source of its interaction. */
function EntryContent(props: EntryContentProps): VNode {
  const { view, head, isSource } = props;
  const editor = useEditor(view);
  if (editor !== undefined) return <ResponseForm editor={editor} />;
  if (isSource && head !== undefined) return <SourceView view={head} />;
  return <Message {...props} />;
}

/** Details stand below the first message, in verbose mode or when one of them is open. Plain HTTP has nothing else. */
function showsDetails({ view, mode, opened = {}, isSource }: EntryArticleProps, { details }: InteractionBody): boolean {
  if (view.position !== 0 || isSource || details.length === 0) return false;
  return (
    mode === 'verbose' ||
    (view.summary.role === 'http' && mode !== 'summary') ||
    Object.keys(opened).some((part) => part.startsWith('detail'))
  );
}

/** The class of a role: one of those that look different, so that no other text of a tape reaches the attribute. */
function roleClass(role: string): string {
  return ['user', 'assistant', 'system', 'tool', 'http', 'mcp'].find((known) => known === role) ?? 'other';
}

function Message({ view, entry, mode, opened }: EntryContentProps): VNode {
  const { change } = useActions();
  const { key, summary } = view;
  const open = isEntryOpen(mode, summary, opened);
  const onOpen = (part: string, isOpen: boolean): void => change({ type: 'open', key, parts: [part], open: isOpen });
  return (
    <div class={`message ${open ? 'open' : 'closed'}`}>
      <button type="button" class="message-head" aria-expanded={open} onClick={() => onOpen('entry', !open)}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        <span class="role">{roleName(summary.role)}</span>
        {!open && (
          <span class="preview" dir="auto">
            {previewText(entry?.text ?? '')}
          </span>
        )}
      </button>
      {open && entry !== undefined && (
        <MessageBody view={view} entry={entry} mode={mode} opened={opened} onOpen={onOpen} />
      )}
    </div>
  );
}

function classes(...names: readonly (string | false)[]): string {
  return names.filter(Boolean).join(' ');
}

/** What was said to MCP servers beside the conversation, in one line. */
function AsideLine({ run }: { readonly run: AsideRun }): VNode {
  const { change } = useActions();
  const { interactions, isOpen } = run;
  return (
    <>
      <div class="mcp-aside">
        <button type="button" class="message-head" aria-expanded={isOpen} onClick={() => change(foldRun(run))}>
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          <span class="number">{numbersOf(run)}</span>
          <span class="role">MCP</span>
          <span class="preview" dir="auto">
            {describeRun(run)}
          </span>
        </button>
      </div>
      {!isOpen && interactions.map(({ index }) => <DriftCards key={index} interaction={index} />)}
    </>
  );
}

/** For screen readers. */
function asideLabel(run: AsideRun): string {
  const numbers = numbersOf(run).replaceAll('#', '');
  return counted(
    run.interactions.length,
    'MCP, interaction {1}: {2}',
    'MCP, interactions {1}: {2}',
    numbers,
    describeRun(run),
  );
}

function numbersOf({ interactions }: AsideRun): string {
  const [first, last] = [interactions[0], interactions.at(-1)].map((view) => `#${(view?.index ?? 0) + 1}`);
  return first === last ? `${first}` : t('{0} to {1}', `${first}`, `${last}`);
}

interface DetailListProps {
  readonly details: readonly MessageExtra[];
  readonly entryKey: string;
  readonly mode: Mode;
  readonly opened: Opened | undefined;
}

/** The parts of an interaction that are not messages. Each is one line until it is opened. */
function DetailList({ details, entryKey, mode, opened }: DetailListProps): VNode {
  const { change } = useActions();
  const open = (part: string, isOpen: boolean): void =>
    change({ type: 'open', key: entryKey, parts: [part], open: isOpen });
  return (
    <div class="details">
      {details.map((detail, index) => {
        const id = `detail${index}`;
        const isOpen = opened?.[id] ?? detail.media !== undefined;
        return (
          <div key={id} class="detail">
            <button type="button" class="detail-head" aria-expanded={isOpen} onClick={() => open(id, !isOpen)}>
              <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
              <span>{detail.label}</span>
            </button>
            {isOpen && (
              <div class="detail-body">
                <Media media={detail.media} label={detail.label} />
                <FoldedCode
                  part={`${id}.text`}
                  text={detail.text}
                  maxLines={toolLines(mode) * 2}
                  open={opened?.[`${id}.text`] ?? false}
                  onOpen={() => open(`${id}.text`, true)}
                />
              </div>
            )}
          </div>
        );
      })}
    </div>
  );
}

interface SilentChangesProps {
  /** How many changes there are, known before the changes are loaded. */
  readonly count: number;
  readonly changes: readonly DescribedChange[] | undefined;
  readonly entryKey: string;
  readonly mode: Mode;
  readonly opened: Opened | undefined;
}

/** Silent changes: differences in the part of a request that repeats the conversation so far. */
function SilentChanges({ count, changes, entryKey, mode, opened }: SilentChangesProps): VNode {
  const actions = useActions();
  const open = (part: string, isOpen: boolean): void =>
    actions.change({ type: 'open', key: entryKey, parts: [part], open: isOpen });
  const all = opened?.changes ?? mode === 'verbose';
  const shown = all ? (changes ?? []) : (changes ?? []).slice(0, MAX_SHOWN);
  const countText = counted(count, '{0} silent change', '{0} silent changes');
  return (
    <ul class="changes" aria-label={countText}>
      {shown.map((change, index) => {
        const id = `change${index}`;
        const isOpen = opened?.[id] ?? mode === 'verbose';
        return <SilentChange key={id} change={change} open={isOpen} onToggle={() => open(id, !isOpen)} />;
      })}
      {changes === undefined && <li class="change quiet">{countText}</li>}
      {shown.length < (changes?.length ?? 0) && (
        <li>
          <button type="button" class="link show-all" onClick={() => open('changes', true)}>
            {t('Show All {0} Changes', grouped(count))}
          </button>
        </li>
      )}
    </ul>
  );
}

interface SilentChangeProps {
  readonly change: DescribedChange;
  readonly open: boolean;
  onToggle(): void;
}

function SilentChange({ change: { title, since, uncached, diff }, open, onToggle }: SilentChangeProps): VNode {
  return (
    <li class="change">
      <button type="button" class="change-head" aria-expanded={open} onClick={onToggle}>
        <Icon name="warning" />
        <span>{title}</span>
        {since !== undefined && <span class="quiet">{t('since #{0}', since + 1)}</span>}
        {uncached !== undefined && (
          <span class="quiet" title={t("The provider's cache ends here")}>
            {counted(uncached, '~{0} token not from cache', '~{0} tokens not from cache')}
          </span>
        )}
        <span class="change-size">{sizeText(diff)}</span>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
      </button>
      {open && <TextDiff diff={diff} />}
    </li>
  );
}

/** The words that were added and removed, such as "+3 −1". */
function sizeText(diff: readonly DiffPiece[]): string {
  const words = (type: 'added' | 'removed'): number =>
    diff.reduce((sum, part) => sum + (part.type === type ? (part.text.match(/\S+/g) ?? []).length : 0), 0);
  const added = words('added');
  const removed = words('removed');
  return [added > 0 ? `+${added}` : '', removed > 0 ? `\u2212${removed}` : ''].join(' ').trim();
}
