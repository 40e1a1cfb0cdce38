import { isEntryOpen, textLines, toolLines } from './modes';
import type { Row } from './rows';
import type { ViewState } from './viewState';

const CLOSED = 40;
const HEAD = 60;
const CHANGE = 40;
const LINE = 20;
const CHARACTERS_A_LINE = 95;

/** How tall a row will be, roughly, before it has been on the page. */
export function estimateHeight({ view, head, raw }: Row, { mode, opened }: Pick<ViewState, 'mode' | 'opened'>): number {
  const above = head === undefined ? 0 : HEAD + head.summary.changes * CHANGE;
  if (raw) return above + 400;
  const { key, summary } = view;
  if (!isEntryOpen(mode, summary, opened[key])) return above + CLOSED;
  const most = summary.tools === undefined ? textLines(mode) : toolLines(mode) * 2 * summary.tools.length;
  const lines = Math.min(Math.ceil(summary.size / CHARACTERS_A_LINE), most);
  return above + CLOSED + lines * LINE;
}
