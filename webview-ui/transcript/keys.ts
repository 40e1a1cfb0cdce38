import { COMMANDS, type Command } from './commands';

/** `entry`: a message itself has the focus. `text`: something that is typed into. `page`: anything else. */
export type Place = 'entry' | 'page' | 'text';

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

const BY_CHORD: ReadonlyMap<string, Command> = new Map(
  COMMANDS.flatMap(({ id, keys }) => keys.map((chord): [string, Command] => [chord, id])),
);

/** Elsewhere these keys scroll the page or press a button. */
const ON_MESSAGE: ReadonlySet<string> = new Set(['Enter', 'ArrowDown', 'ArrowUp', 'Home', 'End']);
/** The keys that are no part of what is typed. */
const WHILE_TYPING: ReadonlySet<string> = new Set(['Escape', 'F3', 'Shift+F3', 'Ctrl+f']);

/** What a key means, wherever the focus is. */
export function commandOf(press: KeyPress, place: Place): Command | undefined {
  const chord = chordOf(press);
  if (place === 'text' && !WHILE_TYPING.has(chord)) return undefined;
  if (place !== 'entry' && ON_MESSAGE.has(chord)) return undefined;
  return BY_CHORD.get(chord);
}

/** Such as `j`, `?`, `Alt+ArrowUp`, `Ctrl+f`: Shift is part of the keys that have a name, and Cmd is Ctrl. */
function chordOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string {
  const ctrl = ctrlKey || metaKey;
  return [ctrl && 'Ctrl', altKey && 'Alt', shiftKey && key.length > 1 && 'Shift', ctrl ? key.toLowerCase() : key]
    .filter(Boolean)
    .join('+');
}
