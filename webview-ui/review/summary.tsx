import type { VNode } from 'preact';
import type { Change } from '../../src/core/model/change';
import type { ReviewState } from '../../src/protocol/reviewPanel';
import { Icon, type IconName } from '../base/icon';
import { Measures } from './measures';
import type { ReviewAction } from './session/reviewKeys';
import { openChanges } from './session/reviewView';
import { headline, plural, summary } from './session/words';

export interface SummaryProps {
  readonly state: ReviewState;
  readonly busy: boolean;
  /** What normalising rules hide is listed, too. */
  readonly hiddenShown: boolean;
  readonly actions: Readonly<Record<ReviewAction, () => unknown>>;
}

/** What changed in words and numbers, before anything else, and what can be done with all of it. */
export function Summary({ state, busy, hiddenShown, actions }: SummaryProps): VNode {
  const { hidden, canDecide, notices } = state;
  return (
    <header class="summary">
      <div class="summary-words">
        <h1>{headline(state)}</h1>
        <p class="quiet">
          {summary(state, Date.now())}
          {hidden.length > 0 && (
            <>
              {' · '}
              <button
                type="button"
                class="link"
                aria-keyshortcuts="h"
                aria-expanded={hiddenShown}
                title="What the rules of [normalise] in tapedeck.toml say means nothing (H)"
                onClick={actions.toggleHidden}
              >
                {plural(hidden.length, 'difference')} hidden
              </button>
            </>
          )}
        </p>
        <Measures measures={state.measures} />
        {notices.map((notice) => (
          <p class="notice" key={notice}>
            <Icon name="warning" /> {notice}
          </p>
        ))}
        {hiddenShown && <HiddenList hidden={hidden} />}
        {!canDecide && (
          <p class="quiet">To accept or reject, open this in a trusted workspace of a desktop or remote window.</p>
        )}
      </div>
      <QueueNavigation state={state} actions={actions} />
      <Decisions state={state} busy={busy} actions={actions} />
      <button type="button" class="button-quiet" aria-label="Keys" title="Keys (?)" onClick={actions.help}>
        <Icon name="question" />
      </button>
    </header>
  );
}

type PartProps = Pick<SummaryProps, 'state' | 'actions'>;

/** Where this is among all that changed, with a way to the others. */
function QueueNavigation({ state: { queue }, actions }: PartProps): VNode | null {
  if (queue.total < 2) return null;
  return (
    <div class="queue-navigation">
      <Step icon="chevron-up" label="Previous file" shortcut="[" onClick={actions.previousFile} />
      <span class="quiet">
        {queue.position > 0 ? queue.position : '–'} of {queue.total}
      </span>
      <Step icon="chevron-down" label="Next file" shortcut="]" onClick={actions.nextFile} />
    </div>
  );
}

interface StepProps {
  readonly icon: IconName;
  readonly label: string;
  readonly shortcut: string;
  readonly onClick: () => unknown;
}

function Step({ icon, label, shortcut, onClick }: StepProps): VNode {
  return (
    <button
      type="button"
      class="button-quiet"
      aria-label={label}
      aria-keyshortcuts={shortcut}
      title={`${label} (${shortcut})`}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

function Decisions({ state, busy, actions }: Omit<SummaryProps, 'hiddenShown'>): VNode | null {
  const { canDecide, hasBaseline, changes, hidden, kind } = state;
  const open = openChanges(changes).length;
  return (
    <>
      {canDecide && (
        <button
          type="button"
          class="button-quiet"
          aria-keyshortcuts="z"
          title="Undo last decision (Z)"
          disabled={busy}
          onClick={actions.undo}
        >
          <Icon name="discard" />
          Undo
        </button>
      )}
      {canDecide && kind !== 'run' && open === 0 && changes.length + hidden.length > 0 && (
        <button
          type="button"
          class="button-secondary"
          aria-keyshortcuts="g"
          title="Put this file into git's index (G)"
          disabled={busy}
          onClick={actions.stage}
        >
          Stage
        </button>
      )}
      {hasBaseline && open > 1 && (
        <button
          type="button"
          class="button-secondary"
          aria-keyshortcuts="Shift+A"
          title={`${kind === 'run' ? 'Take all changes that are left into the baseline' : 'Accept all changes that are left'} (Shift+A)`}
          disabled={busy || !canDecide}
          onClick={actions.acceptAll}
        >
          Accept all
        </button>
      )}
    </>
  );
}

/** As much of a value as fits in a line. */
const MAX_VALUE_LENGTH = 60;

/** What differs and means nothing, each with the rule that says so. Nothing here needs a decision. */
export function HiddenList({ hidden }: { readonly hidden: readonly Change[] }): VNode {
  return (
    <section class="hidden-list quiet" aria-label="Hidden differences">
      <ul>
        {hidden.map(({ id, title, before, after, rules }) => (
          <li key={id}>
            {title} <code>{short(before)}</code> → <code>{short(after)}</code>{' '}
            <span class="badge">{rules.join(', ')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_VALUE_LENGTH ? `${line.slice(0, MAX_VALUE_LENGTH)}…` : line || '(nothing)';
}
