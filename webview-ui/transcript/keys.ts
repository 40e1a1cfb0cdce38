import { MODES, type Mode } from './viewState';

/** What a key means, wherever the focus is. */
export type Command =
  | { readonly type: 'move'; readonly to: 'next' | 'previous' | 'first' | 'last' }
  | { readonly type: 'step'; readonly to: 'next' | 'previous' }
  | { readonly type: 'mode'; readonly mode: Mode }
  | { readonly type: 'turn'; readonly to: 'next' | 'previous' }
  | { readonly type: 'filter' | 'outline' }
  | { readonly type: 'toggle' | 'raw' | 'source' | 'copy' | 'find' | 'closeFind' | 'help' };

/** `entry`: a message itself has the focus. `text`: something that is typed into. `page`: anything else. */
export type Place = 'entry' | 'page' | 'text';

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

const ANYWHERE: Readonly<Record<string, Command>> = {
  j: { type: 'move', to: 'next' },
  k: { type: 'move', to: 'previous' },
  n: { type: 'turn', to: 'next' },
  p: { type: 'turn', to: 'previous' },
  f: { type: 'filter' },
  o: { type: 'outline' },
  '/': { type: 'find' },
  e: { type: 'source' },
  r: { type: 'raw' },
  c: { type: 'copy' },
  '?': { type: 'help' },
};

/** Elsewhere these keys scroll the page or press a button. */
const ON_ENTRY: Readonly<Record<string, Command>> = {
  Enter: { type: 'toggle' },
  ArrowDown: { type: 'move', to: 'next' },
  ArrowUp: { type: 'move', to: 'previous' },
  Home: { type: 'move', to: 'first' },
  End: { type: 'move', to: 'last' },
};

/** The keys as the help shows them. */
export const KEY_HELP: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ['j', '\u2193'], does: 'Next message' },
  { keys: ['k', '\u2191'], does: 'Previous message' },
  { keys: ['n', 'p'], does: 'Next and previous interaction' },
  { keys: ['Home', 'End'], does: 'First and last message' },
  { keys: ['Enter'], does: 'Open or close the message' },
  { keys: ['r'], does: 'Show the recorded source, or the messages again' },
  { keys: ['e'], does: 'Open the source beside' },
  { keys: ['c'], does: 'Copy the interaction' },
  { keys: ['F2'], does: 'Edit the answer' },
  { keys: ['d', 'Delete'], does: 'Duplicate or delete the interaction' },
  { keys: ['Alt+\u2191', 'Alt+\u2193'], does: 'Move the interaction' },
  { keys: ['.'], does: 'All that can be done with the interaction' },
  { keys: ['/', 'Ctrl+F'], does: 'Find' },
  { keys: ['F3', 'Shift+F3'], does: 'Next and previous match' },
  { keys: ['f'], does: 'Filter by role, tool, model, errors' },
  { keys: ['o'], does: 'Outline' },
  { keys: ['1', '2', '3'], does: 'Summary, normal, verbose' },
  { keys: ['?'], does: 'These keys' },
];

export function commandOf(press: KeyPress, place: Place): Command | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = press;
  if (key === 'F3') return { type: 'step', to: shiftKey ? 'previous' : 'next' };
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'f') return { type: 'find' };
  if (ctrlKey || metaKey || altKey) return undefined;
  if (key === 'Escape') return { type: 'closeFind' };
  if (place === 'text') return undefined;
  const mode = MODES[Number(key) - 1];
  if (mode !== undefined) return { type: 'mode', mode };
  const command = Object.hasOwn(ANYWHERE, key) ? ANYWHERE[key] : undefined;
  return command ?? (place === 'entry' && Object.hasOwn(ON_ENTRY, key) ? ON_ENTRY[key] : undefined);
}
