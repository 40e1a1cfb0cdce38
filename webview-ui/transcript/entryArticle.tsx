import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { Icon } from '../base/icon';
import { memo } from '../base/memo';
import { useActions } from './actions';
import { InteractionHead } from './interactionHead';
import { MessageBody } from './messageBody';
import { isEntryOpen } from './modes';
import { RawView } from './rawView';
import { useNear } from './useNear';
import { type EntryView, entryLabel, type InteractionView, roleName } from './viewModel';
import type { Mode, Opened } from './viewState';

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
  /** Render it whole at once, before it is near. */
  readonly eager: boolean;
}

/** One article of the feed: a message, with the head of its interaction if it is the first. */
export const EntryArticle = memo((props: EntryArticleProps): VNode => {
  const { view, head, raw, isCurrent, position, count, eager } = props;
  const element = useRef<HTMLElement>(null);
  const near = useNear(element, eager);
  const shown = raw && head !== undefined ? <RawView view={head} /> : <Message {...props} near={near} />;
  return (
    <article
      ref={element}
      class={classes('entry', near && 'near', head !== undefined && 'first', view.entry.role === 'user' && 'role-user')}
      data-key={view.key}
      data-interaction={view.entry.interaction}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={entryLabel(view.entry)}
      aria-posinset={position}
      aria-setsize={count}
    >
      {head !== undefined && <InteractionHead view={head} raw={raw} />}
      {shown}
    </article>
  );
});

function Message({ view, mode, opened, near }: EntryArticleProps & { readonly near: boolean }): VNode {
  const { change } = useActions();
  const { key, entry } = view;
  const open = isEntryOpen(mode, entry, opened);
  const onOpen = (what: string, isOpen: boolean): void => change({ type: 'open', key, whats: [what], open: isOpen });
  return (
    <div class={`message ${open ? 'open' : 'closed'}`}>
      <button type="button" class="message-head" aria-expanded={open} onClick={() => onOpen('entry', !open)}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        <span class="role">{roleName(entry.role)}</span>
        {!open && <span class="preview">{preview(entry.text)}</span>}
      </button>
      {open &&
        (near ? <MessageBody entry={entry} mode={mode} opened={opened} onOpen={onOpen} /> : placeholder(entry.text))}
    </div>
  );
}

/** Until a message comes near the screen: its text, so that it can be read aloud, at next to no cost. */
function placeholder(text: string): VNode {
  return <p class="message-body">{text.slice(0, 2000)}</p>;
}

function preview(text: string): string {
  return text.slice(0, 300).replace(/\s+/g, ' ');
}

function classes(...names: readonly (string | false)[]): string {
  return names.filter(Boolean).join(' ');
}
