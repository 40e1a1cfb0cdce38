import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Icon } from '../../base/icon';
import type { Row } from '../rows/rows';
import type { InteractionView } from '../state/viewModel';

interface OutlineProps {
  readonly rows: readonly Row[];
  /** The message that the reader is at. */
  readonly current: string | undefined;
  onGo(key: string): void;
}

/** The height of a line, in pixels; outline.css says the same. */
const LINE = 26;
/** Lines beyond the window, above and below. */
const MARGIN = 20;

interface Line {
  readonly key: string;
  readonly head: InteractionView;
}

/**
 * All interactions by what they are about, each a line that leads to it. Only the lines in sight are on the page. It
 * takes the focus when it is opened; the arrows move in it.
 */
export function Outline({ rows, current, onGo }: OutlineProps): VNode {
  const nav = useRef<HTMLElement>(null);
  const [top, setTop] = useState(0);
  const lines = useMemo(
    () => rows.flatMap(({ head, view }): Line[] => (head === undefined ? [] : [{ key: view.key, head }])),
    [rows],
  );
  const [at, setAt] = useState(() => lineOf(lines, current));
  // What the keyboard asked for has the focus once it is on the page.
  const isAsked = useRef(true);
  // A filter may leave fewer lines than the outline was scrolled by.
  const start = Math.max(0, Math.min(Math.floor(top / LINE), lines.length) - MARGIN);
  const end = Math.min(lines.length, Math.ceil((top + innerHeight) / LINE) + MARGIN);
  useLayoutEffect(() => {
    if (!isAsked.current || nav.current === null) return;
    const line = nav.current.querySelector<HTMLElement>(`[data-line="${at}"]`);
    if (line === null) nav.current.scrollTop = Math.max(0, at * LINE - nav.current.clientHeight / 2);
    else isAsked.current = false;
    line?.focus();
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: lines.length - 1 }[event.key];
    if (target === undefined) return;
    isAsked.current = true;
    setAt(Math.max(0, Math.min(lines.length - 1, target)));
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <nav
      ref={nav}
      class="outline"
      aria-label="Outline"
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <ol start={start + 1}>
        <li class="outline-room" aria-hidden="true" style={{ height: `${start * LINE}px` }} />
        {lines.slice(start, end).map(({ key, head }, index) => (
          <OutlineLine
            key={key}
            head={head}
            line={start + index}
            isTabStop={start + index === at}
            onFocus={() => setAt(start + index)}
            onGo={() => onGo(key)}
          />
        ))}
        <li class="outline-room" aria-hidden="true" style={{ height: `${(lines.length - end) * LINE}px` }} />
      </ol>
    </nav>
  );
}

function lineOf(lines: readonly Line[], current: string | undefined): number {
  const interaction = Number.parseInt(current ?? '', 10);
  return Math.max(
    0,
    lines.findLastIndex(({ head }) => head.index <= interaction),
  );
}

interface OutlineLineProps {
  readonly head: InteractionView;
  readonly line: number;
  readonly isTabStop: boolean;
  onFocus(): void;
  onGo(): void;
}

function OutlineLine({ head: { index, summary }, line, isTabStop, onFocus, onGo }: OutlineLineProps): VNode {
  return (
    <li>
      <button
        type="button"
        class="outline-line"
        data-line={line}
        tabIndex={isTabStop ? 0 : -1}
        title={summary.title}
        onFocus={onFocus}
        onClick={onGo}
      >
        <span class="quiet">{`#${index + 1}`}</span>
        <span class="outline-title">{summary.title.replaceAll(/[`*]/g, '') || summary.kind}</span>
        {summary.failed && <Icon name="error" />}
        {summary.changes > 0 && <Icon name="warning" />}
      </button>
    </li>
  );
}
