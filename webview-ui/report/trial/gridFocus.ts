import { useState } from 'preact/hooks';

/** What arrow keys reach: the names of the cases, and their cells. */
const REACHED = '[data-cell]';

/** The attributes of an element that arrow keys reach. */
export interface Reached {
  readonly 'data-cell': string;
  readonly tabIndex: number;
}

export interface GridFocus {
  readonly table: { onKeyDown(event: KeyboardEvent): void; onFocusIn(event: FocusEvent): void };
  reach(key: string): Reached;
}

/**
 * Arrow keys, Home and End move the focus within a table, which is one stop of the tab key: the element that had the focus
 * last, or the first. Screen readers read it as the table it is.
 */
export function useGridFocus(keys: readonly string[]): GridFocus {
  const [last, setLast] = useState<string>();
  const stop = last !== undefined && keys.includes(last) ? last : keys[0];
  return {
    table: {
      onKeyDown,
      onFocusIn: ({ target }) => {
        if (target instanceof HTMLElement && target.matches(REACHED)) setLast(target.dataset.cell);
      },
    },
    reach: (key) => ({ 'data-cell': key, tabIndex: key === stop ? 0 : -1 }),
  };
}

function onKeyDown(event: KeyboardEvent): void {
  const { target, currentTarget, key, ctrlKey, metaKey, altKey } = event;
  if (!(target instanceof HTMLElement) || !(currentTarget instanceof HTMLTableElement) || altKey) return;
  if (!target.matches(REACHED)) return;
  const rows = [...currentTarget.tBodies].flatMap((body) => [...body.rows]).map(reachedIn);
  const next = moved(
    rows.filter((row) => row.length > 0),
    target,
    key,
    ctrlKey || metaKey,
  );
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

function reachedIn(row: HTMLTableRowElement): readonly HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>(REACHED)];
}

function moved(
  rows: readonly (readonly HTMLElement[])[],
  from: HTMLElement,
  key: string,
  isFar: boolean,
): HTMLElement | undefined {
  const at = rows.findIndex((row) => row.includes(from));
  const row = rows[at] ?? [];
  const column = row.indexOf(from);
  switch (key) {
    case 'ArrowLeft':
      return row[column - 1];
    case 'ArrowRight':
      return row[column + 1];
    case 'ArrowUp':
      return rows[at - 1]?.[column];
    case 'ArrowDown':
      return rows[at + 1]?.[column];
    case 'Home':
      return (isFar ? rows[0] : row)?.[0];
    case 'End':
      return (isFar ? rows.at(-1) : row)?.at(-1);
    default:
      return undefined;
  }
}
