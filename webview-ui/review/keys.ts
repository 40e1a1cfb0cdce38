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
  readonly says: string;
}

/** The keys of the review, in the order in which the help shows them. */
export const KEY_BINDINGS: readonly KeyBinding[] = [
  { action: 'next', keys: ['n', 'j', 'F7'], says: 'Next change, and on to the next file' },
  { action: 'previous', keys: ['p', 'k', 'Shift+F7'], says: 'Previous change' },
  { action: 'nextFile', keys: [']', 'N'], says: 'Next file' },
  { action: 'previousFile', keys: ['[', 'P'], says: 'Previous file' },
  { action: 'accept', keys: ['a'], says: 'Accept and go on' },
  { action: 'reject', keys: ['r'], says: 'Reject and go on' },
  { action: 'acceptInteraction', keys: ['i'], says: 'Accept all of this interaction' },
  { action: 'rejectInteraction', keys: ['I'], says: 'Reject all of this interaction' },
  { action: 'acceptAll', keys: ['A'], says: 'Accept all that are left' },
  { action: 'rejectAll', keys: ['R'], says: 'Reject all that are left' },
  { action: 'undo', keys: ['z'], says: 'Take back the last decision' },
  { action: 'note', keys: ['e'], says: 'Note a reason, kept with the decision' },
  { action: 'toggleViewed', keys: ['v'], says: 'Mark as viewed, or not' },
  { action: 'stage', keys: ['g'], says: 'Stage this file in git' },
  { action: 'stageAll', keys: ['G'], says: 'Stage all files that are accepted' },
  { action: 'find', keys: ['/'], says: 'Find in the changes' },
  { action: 'nextGroup', keys: ['f'], says: 'Only answers, only tools, …' },
  { action: 'toggleHidden', keys: ['h'], says: 'Show or hide differences that mean nothing' },
  { action: 'toggleSideBySide', keys: ['s'], says: 'Side by side or inline' },
  { action: 'toggleFolding', keys: ['u'], says: 'Show or fold unchanged lines' },
  { action: 'openDiff', keys: ['d'], says: 'Open in the diff editor of VS Code' },
  { action: 'openTranscript', keys: ['t'], says: 'Show this interaction in the transcript' },
  { action: 'help', keys: ['?'], says: 'Show these keys' },
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
