import { useLayoutEffect, useRef } from 'preact/hooks';
import { TRANSCRIPT_COMMANDS, type TranscriptCommand } from './commands';
import { continuesAbove, continuesBelow } from './rows/scrolling';

/** Runs commands by their keys, anywhere on the page. `run` returns false if the browser may have the key. */
export function useKeyboard(run: (command: TranscriptCommand) => boolean): void {
  // Keys can follow each other faster than effects run.
  const latest = useRef(run);
  latest.current = run;
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      // `defaultPrevented` is not a reason to stop: VS Code has prevented Ctrl+F before it arrives here.
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

/** The focused element: a message itself (`entry`), a text field (`text`), or anything else (`page`). */
type FocusPlace = 'entry' | 'page' | 'text';

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

/** Commands only while a message has the focus: elsewhere these keys scroll the page or press a button. */
const KEYS_ON_MESSAGE: ReadonlySet<string> = new Set(['Enter', 'ArrowDown', 'ArrowUp', 'Home', 'End']);
/** Commands in a text field too. */
const KEYS_WHILE_TYPING: ReadonlySet<string> = new Set(['Escape', 'F3', 'Shift+F3', 'Ctrl+f']);

/** The command of a key while the focus is in `place`. */
export function commandOf(press: KeyPress, place: FocusPlace): TranscriptCommand | undefined {
  const chord = chordOf(press);
  if (place === 'text' && !KEYS_WHILE_TYPING.has(chord)) return undefined;
  if (place !== 'entry' && KEYS_ON_MESSAGE.has(chord)) return undefined;
  return BY_CHORD.get(chord);
}

/** Such as `j`, `?`, `Alt+ArrowUp`, `Ctrl+f`. Shift counts for named keys only; Cmd counts as Ctrl. */
function chordOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string {
  const ctrl = ctrlKey || metaKey;
  return [ctrl && 'Ctrl', altKey && 'Alt', shiftKey && key.length > 1 && 'Shift', ctrl ? key.toLowerCase() : key]
    .filter(Boolean)
    .join('+');
}
