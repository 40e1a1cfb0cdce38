import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Icon } from '../base/icon';
import type { Row } from './rows';
import type { InteractionView } from './viewModel';

interface OutlineProps {
  readonly rows: readonly Row[];
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

/** All interactions by what they are about, each a line that leads to it. Only the lines in sight are on the page. */
export function Outline({ rows, onGo }: OutlineProps): VNode {
  const [top, setTop] = useState(0);
  const lines = useMemo(
    () => rows.flatMap(({ head, view }): Line[] => (head === undefined ? [] : [{ key: view.key, head }])),
    [rows],
  );
  const start = Math.max(0, Math.floor(top / LINE) - MARGIN);
  const end = Math.min(lines.length, Math.ceil((top + innerHeight) / LINE) + MARGIN);
  return (
    <nav class="outline" aria-label="Outline" onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}>
      <ol start={start + 1}>
        <li class="outline-room" aria-hidden="true" style={{ height: `${start * LINE}px` }} />
        {lines.slice(start, end).map(({ key, head }) => (
          <OutlineLine key={key} head={head} onGo={() => onGo(key)} />
        ))}
        <li class="outline-room" aria-hidden="true" style={{ height: `${(lines.length - end) * LINE}px` }} />
      </ol>
    </nav>
  );
}

function OutlineLine({ head: { index, summary }, onGo }: { readonly head: InteractionView; onGo(): void }): VNode {
  return (
    <li>
      <button type="button" class="outline-line" title={summary.title} onClick={onGo}>
        <span class="quiet">{`#${index + 1}`}</span>
        <span class="outline-title">{summary.title.replaceAll(/[`*]/g, '') || summary.kind}</span>
        {summary.failed && <Icon name="error" />}
        {summary.changes > 0 && <Icon name="warning" />}
      </button>
    </li>
  );
}
