import { grouped } from '../../src/core/text/counts';
import { t } from '../../src/core/text/l10n';

const CHARACTERS_A_LINE = 100;
/** Texts up to this much longer than the limit are shown whole: hiding so little is not worth a click. */
const SLACK = 1.25;

interface Fold {
  readonly shown: string;
  /** The label of the button that shows all; absent if nothing is hidden. */
  readonly label?: string;
}

/** Cuts a long text by its lines, and very long lines by their characters. */
export function foldText(text: string, maxLines: number): Fold {
  const lines = countLines(text);
  if (lines > Math.ceil(maxLines * SLACK)) {
    const shown = cut(text.slice(0, endOfLine(text, maxLines)), maxLines * CHARACTERS_A_LINE);
    return { shown, label: t('Show All {0} Lines', grouped(lines)) };
  }
  const limit = maxLines * CHARACTERS_A_LINE;
  if (text.length <= limit * SLACK) return { shown: text };
  return { shown: cut(text, limit), label: t('Show All {0} Characters', grouped(text.length)) };
}

export function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

function endOfLine(text: string, line: number): number {
  let at = -1;
  for (let seen = 0; seen < line; seen += 1) at = text.indexOf('\n', at + 1);
  return at;
}

/** The first `length` UTF-16 units, without half of a surrogate pair at the end. */
function cut(text: string, length: number): string {
  const shown = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(shown) ? shown.slice(0, -1) : shown;
}
