import { useLayoutEffect, useRef } from 'preact/hooks';
import { TRANSCRIPT_COMMANDS, type TranscriptCommand } from './commands';
import { continuesAbove, continuesBelow } from './rows/scrolling';

/** Listens to the keyboard of the whole page. `run` returns false for what it leaves to the browser. */
export function useKeyboard(run: (command: TranscriptCommand) => boolean): void {
  // The latest, not the one of the last effect: keys can follow each other faster than effects.
  const latest = useRef(run);
  latest.current = run;
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      // VS Code has already taken Ctrl+F from the browser when it comes here, so `defaultPrevented` says nothing.
      if (event.isComposing || document.querySelector('dialog[open]') !== null) return;
      const command = commandOf(event, focusPlaceOf(event.target));
      if (command === undefined || scrollsWithin(event)) return;
      if (latest.current(command)) event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

function focusPlaceOf(target: EventTarget | null): FocusPlace {
  if (target instanceof HTMLElement && target.matches('input[type="text"], textarea, select')) return 'text';
  return target instanceof HTMLElement && target.matches('article.entry') ? 'entry' : 'page';
}

/** Arrows scroll through a message that is taller than the window before they leave it. */
function scrollsWithin({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (key === 'ArrowDown' && continuesBelow(target)) || (key === 'ArrowUp' && continuesAbove(target));
}

/** `entry`: a message itself has the focus. `text`: something that is typed into. `page`: anything else. */
export type FocusPlace = 'entry' | 'page' | 'text';

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

const BY_CHORD: ReadonlyMap<string, TranscriptCommand> = new Map(
  TRANSCRIPT_COMMANDS.flatMap(({ id, keys }) => keys.map((chord): [string, TranscriptCommand] => [chord, id])),
);

/** Elsewhere these keys scroll the page or press a button. */
const KEYS_ON_MESSAGE: ReadonlySet<string> = new Set(['Enter', 'ArrowDown', 'ArrowUp', 'Home', 'End']);
/** The keys that are no part of what is typed. */
const KEYS_WHILE_TYPING: ReadonlySet<string> = new Set(['Escape', 'F3', 'Shift+F3', 'Ctrl+f']);

/** What a key means, wherever the focus is. */
export function commandOf(press: KeyPress, place: FocusPlace): TranscriptCommand | undefined {
  const chord = chordOf(press);
  if (place === 'text' && !KEYS_WHILE_TYPING.has(chord)) return undefined;
  if (place !== 'entry' && KEYS_ON_MESSAGE.has(chord)) return undefined;
  return BY_CHORD.get(chord);
}

/** Such as `j`, `?`, `Alt+ArrowUp`, `Ctrl+f`: Shift is part of the keys that have a name, and Cmd is Ctrl. */
function chordOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string {
  const ctrl = ctrlKey || metaKey;
  return [ctrl && 'Ctrl', altKey && 'Alt', shiftKey && key.length > 1 && 'Shift', ctrl ? key.toLowerCase() : key]
    .filter(Boolean)
    .join('+');
}
