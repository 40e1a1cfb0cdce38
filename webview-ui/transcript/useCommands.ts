import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Command } from './commands';
import { commandOf, type Place } from './keys';
import { continuesAbove, continuesBelow } from './scrolling';

/** Listens to the keyboard of the whole page. `run` returns false for what it leaves to the browser. */
export function useCommands(run: (command: Command) => boolean): void {
  // The latest, not the one of the last effect: keys can follow each other faster than effects.
  const latest = useRef(run);
  latest.current = run;
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      // VS Code has already taken Ctrl+F from the browser when it comes here, so `defaultPrevented` says nothing.
      if (event.isComposing || document.querySelector('dialog[open]') !== null) return;
      const command = commandOf(event, placeOf(event.target));
      if (command === undefined || scrollsWithin(event)) return;
      if (latest.current(command)) event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

function placeOf(target: EventTarget | null): Place {
  if (target instanceof HTMLElement && target.matches('input[type="text"], textarea, select')) return 'text';
  return target instanceof HTMLElement && target.matches('article.entry') ? 'entry' : 'page';
}

/** Arrows scroll through a message that is taller than the window before they leave it. */
function scrollsWithin({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (key === 'ArrowDown' && continuesBelow(target)) || (key === 'ArrowUp' && continuesAbove(target));
}
