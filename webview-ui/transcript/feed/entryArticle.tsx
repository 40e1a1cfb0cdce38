import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { roleName } from '../../../src/core/transcript/roleName';
import type { InteractionBody, TranscriptEntry } from '../../../src/core/transcript/transcript';
import { Icon } from '../../base/icon';
import { memo } from '../../base/memo';
import { DriftCards } from '../drift/drifts';
import { useEditor } from '../edit/editing';
import { ResponseForm } from '../edit/responseForm';
import { previewText } from '../message/cards';
import { MessageBody } from '../message/messageBody';
import { useActions } from '../state/actions';
import { useBody } from '../state/bodyStore';
import { isEntryOpen } from '../state/readingMode';
import { type EntryView, entryLabel, type InteractionView } from '../state/viewModel';
import type { Mode, Opened } from '../state/viewState';
import { DetailList } from './detailList';
import { InteractionHead } from './interactionHead';
import { SilentChanges } from './silentChanges';
import { SourceView } from './sourceView';

interface EntryArticleProps {
  readonly view: EntryView;
  readonly head: InteractionView | undefined;
  readonly raw: boolean;
  readonly mode: Mode;
  readonly opened: Opened | undefined;
  readonly isCurrent: boolean;
  /** From 1. */
  readonly position: number;
  readonly count: number;
  readonly heightOf: (key: string) => number;
}

/** One article of the feed: a message, with the head of its interaction if it is the first. */
export const EntryArticle = memo((props: EntryArticleProps): VNode => {
  const { view, head, raw, mode, opened, isCurrent, position, count, heightOf } = props;
  const body = useBody(view.interaction);
  // Until it is filled the place stays as tall as it was or will be: else others move in, and are moved away again.
  const [room] = useState(() => heightOf(view.key));
  const entry = body?.entries[view.position];
  const editor = useEditor(view);
  const shown = editor ? (
    <ResponseForm editor={editor} />
  ) : raw && head !== undefined ? (
    <SourceView view={head} />
  ) : (
    <Message {...props} entry={entry} />
  );
  return (
    <article
      class={classes('entry', head !== undefined && 'first', `role-${roleClass(view.summary.role)}`)}
      style={body === undefined ? { minHeight: `${room}px` } : undefined}
      data-key={view.key}
      data-interaction={view.interaction}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={entryLabel(view, entry?.usage?.totalTokens)}
      aria-posinset={position}
      aria-setsize={count}
    >
      {head !== undefined && <InteractionHead view={head} raw={raw} />}
      {head !== undefined && <DriftCards interaction={head.index} />}
      {head !== undefined && head.summary.changes > 0 && (
        <SilentChanges
          count={head.summary.changes}
          changes={body?.changes}
          entryKey={view.key}
          mode={mode}
          opened={opened}
        />
      )}
      {shown}
      {body !== undefined && view.position === 0 && !raw && showsDetails(view, body, mode, opened) && (
        <DetailList details={body.details} entryKey={view.key} mode={mode} opened={opened} />
      )}
    </article>
  );
});

/** Always of plain HTTP, whose details are all there is; else when all is to be seen, or one of them was asked for. */
function showsDetails({ summary }: EntryView, { details }: InteractionBody, mode: Mode, opened: Opened = {}): boolean {
  if (details.length === 0) return false;
  return (
    mode === 'verbose' ||
    (summary.role === 'http' && mode !== 'summary') ||
    Object.keys(opened).some((what) => what.startsWith('detail'))
  );
}

/** The roles that look different; whatever else a tape may say reaches no attribute. */
function roleClass(role: string): string {
  return ['user', 'assistant', 'system', 'tool', 'http'].find((known) => known === role) ?? 'other';
}

function Message({
  view,
  entry,
  mode,
  opened,
}: EntryArticleProps & { readonly entry: TranscriptEntry | undefined }): VNode {
  const { change } = useActions();
  const { key, summary } = view;
  const open = isEntryOpen(mode, summary, opened);
  const onOpen = (what: string, isOpen: boolean): void => change({ type: 'open', key, whats: [what], open: isOpen });
  return (
    <div class={`message ${open ? 'open' : 'closed'}`}>
      <button type="button" class="message-head" aria-expanded={open} onClick={() => onOpen('entry', !open)}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        <span class="role">{roleName(summary.role)}</span>
        {!open && <span class="preview">{previewText(entry?.text ?? '')}</span>}
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
