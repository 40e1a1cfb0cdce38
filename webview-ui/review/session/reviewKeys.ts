import { message } from '../../../src/core/text/l10n';
import { keyLabel } from '../../base/keyLabel';

export type ReviewAction =
  | 'next'
  | 'previous'
  | 'nextFile'
  | 'previousFile'
  | 'nextPendingFile'
  | 'accept'
  | 'reject'
  | 'acceptInteraction'
  | 'rejectInteraction'
  | 'acceptAll'
  | 'rejectAll'
  | 'same'
  | 'undo'
  | 'note'
  | 'toggleViewed'
  | 'stage'
  | 'stageAll'
  | 'openSourceControl'
  | 'find'
  | 'nextGroup'
  | 'toggleHidden'
  | 'toggleSideBySide'
  | 'toggleFolding'
  | 'openDiff'
  | 'openTranscript'
  | 'help';

interface KeyBinding {
  readonly action: ReviewAction;
  /** Values of `KeyboardEvent.key`, with `Shift+` for named keys. */
  readonly keys: readonly string[];
  /** A message. */
  readonly label: string;
}

/** The keys of the review, in the order of the help. */
export const KEY_BINDINGS: readonly KeyBinding[] = [
  { action: 'next', keys: ['n', 'j', 'F7'], label: message('Next Change, Then Next File') },
  { action: 'previous', keys: ['p', 'k', 'Shift+F7'], label: message('Previous Change') },
  { action: 'nextFile', keys: [']', 'N'], label: message('Next File') },
  { action: 'previousFile', keys: ['[', 'P'], label: message('Previous File') },
  { action: 'nextPendingFile', keys: ['}'], label: message('Next File with Pending Changes') },
  { action: 'accept', keys: ['a'], label: message('Accept and Go to Next') },
  { action: 'reject', keys: ['r'], label: message('Reject and Go to Next') },
  { action: 'acceptInteraction', keys: ['i'], label: message('Accept All in This Interaction') },
  { action: 'rejectInteraction', keys: ['I'], label: message('Reject All in This Interaction') },
  { action: 'acceptAll', keys: ['A'], label: message('Accept All') },
  { action: 'rejectAll', keys: ['R'], label: message('Reject All') },
  { action: 'same', keys: ['='], label: message('Decide on the Same Change in All Files') },
  { action: 'undo', keys: ['z'], label: message('Undo Last Decision') },
  { action: 'note', keys: ['e'], label: message('Write a Note for the Decision') },
  { action: 'toggleViewed', keys: ['v'], label: message('Toggle Viewed') },
  { action: 'stage', keys: ['g'], label: message('Stage This File') },
  { action: 'stageAll', keys: ['G'], label: message('Stage All Accepted Files') },
  { action: 'openSourceControl', keys: ['C'], label: message('Open Source Control') },
  { action: 'find', keys: ['/'], label: message('Find') },
  { action: 'nextGroup', keys: ['f'], label: message('Show Only the Next Group') },
  { action: 'toggleHidden', keys: ['h'], label: message('Toggle Ignored Differences') },
  { action: 'toggleSideBySide', keys: ['s'], label: message('Toggle Side by Side') },
  { action: 'toggleFolding', keys: ['u'], label: message('Toggle Unchanged Lines') },
  { action: 'openDiff', keys: ['d'], label: message('Open in Diff Editor') },
  { action: 'openTranscript', keys: ['t'], label: message('Show in Transcript') },
  { action: 'help', keys: ['?'], label: message('Keyboard Shortcuts') },
];

/** The effect of each action, by key or by button. */
export type ReviewActions = Readonly<Record<ReviewAction, () => unknown>>;

/** Actions that a key which is held down does not repeat. */
const ONCE_PER_PRESS: readonly ReviewAction[] = [
  'accept',
  'reject',
  'acceptInteraction',
  'rejectInteraction',
  'acceptAll',
  'rejectAll',
  'same',
  'undo',
  'stage',
  'stageAll',
  'openSourceControl',
  'openDiff',
  'openTranscript',
];

export type KeyStroke = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey' | 'repeat'>;

/** The action of a key stroke. Strokes with other modifiers belong to VS Code and the browser. */
export function actionOf(stroke: KeyStroke): ReviewAction | undefined {
  if (stroke.ctrlKey || stroke.altKey || stroke.metaKey) return undefined;
  const name = stroke.shiftKey && stroke.key.length > 1 ? `Shift+${stroke.key}` : stroke.key;
  const action = KEY_BINDINGS.find(({ keys }) => keys.includes(name))?.action;
  return action !== undefined && stroke.repeat && ONCE_PER_PRESS.includes(action) ? undefined : action;
}

/** The first key of an action, for `aria-keyshortcuts` and as the interface writes it. */
export function keyOf(action: ReviewAction): { readonly shortcut: string; readonly label: string } {
  const [key = ''] = KEY_BINDINGS.find((binding) => binding.action === action)?.keys ?? [];
  const label = keyLabel(key);
  return { shortcut: /^[A-Z]$/.test(key) ? label : key, label };
}

/**
 * Calls `act` for the keys of the review, except in text fields. It handles keys before Monaco, whose editors are read-only
 * here and would otherwise take F7. Returns the unsubscriber.
 */
export function onReviewKeys(act: (action: ReviewAction) => void): () => void {
  const listener = (event: KeyboardEvent): void => {
    const action = isTextField(event.target) ? undefined : actionOf(event);
    const behindDialog = action !== 'help' && document.querySelector('dialog[open]') !== null;
    if (action === undefined || behindDialog) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    act(action);
  };
  window.addEventListener('keydown', listener, { capture: true });
  return () => window.removeEventListener('keydown', listener, { capture: true });
}

function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || target.closest('.monaco-editor')) return false;
  return target.closest('input, textarea, select, [contenteditable]') !== null;
}
