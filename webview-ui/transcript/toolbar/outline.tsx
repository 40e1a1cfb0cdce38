import type { RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../../../src/core/text/l10n';
import { Icon } from '../../base/icon';
import { headsOf, type Row } from '../rows/rows';
import { readEntry } from '../rows/scrolling';
import type { InteractionView } from '../state/viewModel';

interface OutlineProps {
  readonly feed: RefObject<HTMLElement | null>;
  readonly rows: readonly Row[];
  /** The key of the current message. */
  readonly current: string | undefined;
  onGo(key: string): void;
}

/** The height of a line, in pixels; outline.css repeats it. */
const LINE_HEIGHT = 26;
/** Lines rendered above and below the window. */
const MARGIN = 20;

interface Line {
  readonly key: string;
  readonly head: InteractionView;
}

/** All interactions by their titles, of which only the lines in view are on the page. It takes the focus when it opens. */
export function Outline({ feed, rows, current, onGo }: OutlineProps): VNode {
  const nav = useRef<HTMLElement>(null);
  const [top, setTop] = useState(0);
  const lines = useMemo((): readonly Line[] => rows.flatMap(headsOf), [rows]);
  const focus = useLineFocus(nav, lines, current);
  const read = lineOf(lines, String(useReadInteraction(feed, rows)));
  useShownLine(nav, read);
  // A filter may leave fewer lines than the outline was scrolled by.
  const start = Math.max(0, Math.min(Math.floor(top / LINE_HEIGHT), lines.length) - MARGIN);
  const end = Math.min(lines.length, Math.ceil((top + innerHeight) / LINE_HEIGHT) + MARGIN);
  return (
    <nav
      ref={nav}
      class="outline"
      aria-label={t('Outline')}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      onKeyDown={focus.onKeyDown}
    >
      <ol start={start + 1}>
        <LineSpace lines={start} />
        {lines.slice(start, end).map(({ key, head }, index) => (
          <OutlineLine
            key={key}
            head={head}
            line={start + index}
            isTabStop={start + index === focus.line}
            isRead={start + index === read}
            onFocus={() => focus.set(start + index)}
            onGo={() => onGo(key)}
          />
        ))}
        <LineSpace lines={lines.length - end} />
      </ol>
    </nav>
  );
}

/** The height of lines that are not on the page. */
function LineSpace({ lines }: { readonly lines: number }): VNode {
  return <li class="outline-room" aria-hidden="true" style={{ height: `${lines * LINE_HEIGHT}px` }} />;
}

/** The interaction that is being read, while the page scrolls. */
function useReadInteraction(feed: RefObject<HTMLElement | null>, rows: readonly Row[]): number {
  const [interaction, set] = useState(0);
  useEffect(() => {
    const update = (): void => {
      const entry = feed.current === null ? undefined : readEntry(feed.current);
      if (entry !== undefined) set(Number(entry.dataset.interaction));
    };
    update();
    addEventListener('scroll', update, { passive: true });
    addEventListener('resize', update);
    addEventListener('focusin', update);
    return () => {
      removeEventListener('scroll', update);
      removeEventListener('focusin', update);
      removeEventListener('resize', update);
    };
  }, [rows]);
  return interaction;
}

/** Keeps the line of what is being read in view, unless the user is in the outline. */
function useShownLine(nav: RefObject<HTMLElement | null>, line: number): void {
  useEffect(() => {
    const { current } = nav;
    if (current === null || current.matches(':hover, :focus-within')) return;
    const top = line * LINE_HEIGHT;
    const isShown = top >= current.scrollTop && top + LINE_HEIGHT <= current.scrollTop + current.clientHeight;
    if (!isShown) current.scrollTop = Math.max(0, top - current.clientHeight / 2);
  }, [line]);
}

interface LineFocus {
  /** The line in the tab order. */
  readonly line: number;
  set(line: number): void;
  onKeyDown(event: KeyboardEvent): void;
}

/** Moves the focus through the lines by keys, also to lines that are not on the page yet. */
function useLineFocus(
  nav: RefObject<HTMLElement | null>,
  lines: readonly Line[],
  current: string | undefined,
): LineFocus {
  const [line, set] = useState(() => lineOf(lines, current));
  const isPending = useRef(true);
  // On every render: the line may have been added to the page by this one.
  useLayoutEffect(() => {
    if (!isPending.current || nav.current === null) return;
    const element = nav.current.querySelector<HTMLElement>(`[data-line="${line}"]`);
    if (element === null) nav.current.scrollTop = Math.max(0, line * LINE_HEIGHT - nav.current.clientHeight / 2);
    else isPending.current = false;
    element?.focus();
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = { ArrowUp: line - 1, ArrowDown: line + 1, Home: 0, End: lines.length - 1 }[event.key];
    if (target === undefined) return;
    isPending.current = true;
    set(Math.max(0, Math.min(lines.length - 1, target)));
    event.preventDefault();
    event.stopPropagation();
  };
  return { line, set, onKeyDown };
}

/** The line of the current message's interaction. */
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
  /** Whether the interaction is the one that is being read. */
  readonly isRead: boolean;
  onFocus(): void;
  onGo(): void;
}

function OutlineLine({ head: { index, summary }, line, isTabStop, isRead, onFocus, onGo }: OutlineLineProps): VNode {
  return (
    <li>
      <button
        type="button"
        class="outline-line"
        data-line={line}
        aria-current={isRead ? 'location' : undefined}
        tabIndex={isTabStop ? 0 : -1}
        title={summary.title}
        onFocus={onFocus}
        onClick={onGo}
      >
        <span class="quiet">{`#${index + 1}`}</span>
        <span class="outline-title" dir="auto">
          {summary.title.replaceAll(/[`*]/g, '') || summary.kind}
        </span>
        {summary.failed && <Icon name="error" />}
        {summary.changes > 0 && <Icon name="warning" />}
      </button>
    </li>
  );
}
