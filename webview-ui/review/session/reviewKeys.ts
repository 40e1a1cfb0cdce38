export type ReviewAction =
  | 'next'
  | 'previous'
  | 'nextFile'
  | 'previousFile'
  | 'accept'
  | 'reject'
  | 'acceptInteraction'
  | 'rejectInteraction'
  | 'acceptAll'
  | 'rejectAll'
  | 'undo'
  | 'note'
  | 'toggleViewed'
  | 'stage'
  | 'stageAll'
  | 'find'
  | 'nextGroup'
  | 'toggleHidden'
  | 'toggleSideBySide'
  | 'toggleFolding'
  | 'openDiff'
  | 'openTranscript'
  | 'help';

export interface KeyBinding {
  readonly action: ReviewAction;
  /** `KeyboardEvent.key`, with `Shift+` for keys that have no shifted character of their own. */
  readonly keys: readonly string[];
  readonly label: string;
}

/** The keys of the review, in the order in which the help shows them. */
export const KEY_BINDINGS: readonly KeyBinding[] = [
  { action: 'next', keys: ['n', 'j', 'F7'], label: 'Next change, and on to the next file' },
  { action: 'previous', keys: ['p', 'k', 'Shift+F7'], label: 'Previous change' },
  { action: 'nextFile', keys: [']', 'N'], label: 'Next file' },
  { action: 'previousFile', keys: ['[', 'P'], label: 'Previous file' },
  { action: 'accept', keys: ['a'], label: 'Accept and go on' },
  { action: 'reject', keys: ['r'], label: 'Reject and go on' },
  { action: 'acceptInteraction', keys: ['i'], label: 'Accept all of this interaction' },
  { action: 'rejectInteraction', keys: ['I'], label: 'Reject all of this interaction' },
  { action: 'acceptAll', keys: ['A'], label: 'Accept all that are left' },
  { action: 'rejectAll', keys: ['R'], label: 'Reject all that are left' },
  { action: 'undo', keys: ['z'], label: 'Undo last decision' },
  { action: 'note', keys: ['e'], label: 'Note a reason, kept with the decision' },
  { action: 'toggleViewed', keys: ['v'], label: 'Mark as viewed, or not' },
  { action: 'stage', keys: ['g'], label: 'Stage this file in git' },
  { action: 'stageAll', keys: ['G'], label: 'Stage all files that are accepted' },
  { action: 'find', keys: ['/'], label: 'Find in the changes' },
  { action: 'nextGroup', keys: ['f'], label: 'Only answers, only tools, …' },
  { action: 'toggleHidden', keys: ['h'], label: 'Show or hide differences that mean nothing' },
  { action: 'toggleSideBySide', keys: ['s'], label: 'Side by side or inline' },
  { action: 'toggleFolding', keys: ['u'], label: 'Show or fold unchanged lines' },
  { action: 'openDiff', keys: ['d'], label: 'Open in the diff editor of VS Code' },
  { action: 'openTranscript', keys: ['t'], label: 'Show this interaction in the transcript' },
  { action: 'help', keys: ['?'], label: 'Show these keys' },
];

/** Deciding again and again because a key is held down is nobody's intention. */
const ONCE_PER_PRESS: readonly ReviewAction[] = [
  'accept',
  'reject',
  'acceptInteraction',
  'rejectInteraction',
  'acceptAll',
  'rejectAll',
  'undo',
  'stage',
  'stageAll',
  'openDiff',
  'openTranscript',
];

export type KeyStroke = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey' | 'repeat'>;

/** What a key stroke asks for. Strokes with other modifiers belong to VS Code and the browser. */
export function actionOf(stroke: KeyStroke): ReviewAction | undefined {
  if (stroke.ctrlKey || stroke.altKey || stroke.metaKey) return undefined;
  const name = stroke.shiftKey && stroke.key.length > 1 ? `Shift+${stroke.key}` : stroke.key;
  const action = KEY_BINDINGS.find(({ keys }) => keys.includes(name))?.action;
  return action !== undefined && stroke.repeat && ONCE_PER_PRESS.includes(action) ? undefined : action;
}

/** The same key as people read it: `Shift+A` for `A`. */
export function keyLabel(key: string): string {
  return /^[A-Z]$/.test(key) ? `Shift+${key}` : key.length === 1 ? key.toUpperCase() : key;
}

/**
 * Calls `act` for the keys of the review, wherever the focus is but where text can be typed. It comes before Monaco,
 * whose editors are read-only here and would otherwise take F7. Returns the unsubscriber.
 */
export function onReviewKeys(act: (action: ReviewAction) => void): () => void {
  const listener = (event: KeyboardEvent): void => {
    const action = isTypedInto(event.target) ? undefined : actionOf(event);
    const behindDialog = action !== 'help' && document.querySelector('dialog[open]') !== null;
    if (action === undefined || behindDialog) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    act(action);
  };
  window.addEventListener('keydown', listener, { capture: true });
  return () => window.removeEventListener('keydown', listener, { capture: true });
}

function isTypedInto(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || target.closest('.monaco-editor')) return false;
  return target.closest('input, textarea, select, [contenteditable]') !== null;
}
