import { queryPattern } from '../../../src/core/transcript/searchTranscript';
import { MAX_MATCHES, type Match } from './matches';

const ALL = 'find';
const CURRENT = 'find-current';

/**
 * Highlights all matches in the parts on the page, without changing the DOM. Returns the range of the current match, once
 * its part is rendered.
 */
export function highlightMatches(root: Element, query: string, current: Match | undefined): Range | undefined {
  const pattern = queryPattern(query);
  clearHighlights();
  if (pattern === undefined) return undefined;
  const found: Range[] = [];
  let currentRange: Range | undefined;
  for (const part of root.querySelectorAll<HTMLElement>('[data-part]')) {
    const ranges = rangesIn(part, pattern);
    if (current !== undefined && isPartOf(part, current)) currentRange = ranges[current.nth] ?? ranges.at(-1);
    found.push(...ranges);
    if (found.length > MAX_MATCHES) break;
  }
  // Where a browser has no custom highlights, stepping from match to match still works.
  CSS.highlights?.set(ALL, new Highlight(...found));
  if (currentRange !== undefined) CSS.highlights?.set(CURRENT, currentHighlight(currentRange));
  return currentRange;
}

export function clearHighlights(): void {
  CSS.highlights?.delete(ALL);
  CSS.highlights?.delete(CURRENT);
}

function currentHighlight(range: Range): Highlight {
  const highlight = new Highlight(range);
  highlight.priority = 1;
  return highlight;
}

function isPartOf(part: HTMLElement, { key, part: id }: Match): boolean {
  return part.dataset.part === id && part.closest<HTMLElement>('[data-key]')?.dataset.key === key;
}

/** A match may begin in one element of a part and end in another. */
function rangesIn(part: Element, pattern: RegExp): Range[] {
  const matches = [...(part.textContent ?? '').matchAll(pattern)];
  if (matches.length === 0) return [];
  const nodes = textNodes(part);
  return matches.map((match) => {
    const range = new Range();
    const [startNode, startOffset] = locate(nodes, match.index, false);
    const [endNode, endOffset] = locate(nodes, match.index + match[0].length, true);
    range.setStart(startNode, startOffset);
    range.setEnd(endNode, endOffset);
    return range;
  });
}

interface PlacedText {
  readonly node: Node;
  readonly start: number;
  readonly end: number;
}

function textNodes(part: Element): PlacedText[] {
  const nodes: PlacedText[] = [];
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(), start = 0; node !== null; node = walker.nextNode()) {
    const end = start + (node.nodeValue?.length ?? 0);
    nodes.push({ node, start, end });
    start = end;
  }
  return nodes;
}

/** The text node at an offset. Between two nodes, the one that ends there if `atEnd`, else the one that begins there. */
function locate(nodes: readonly PlacedText[], offset: number, atEnd: boolean): [Node, number] {
  let low = 0;
  let high = nodes.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const end = nodes[middle]?.end ?? 0;
    if (atEnd ? end >= offset : end > offset) high = middle;
    else low = middle + 1;
  }
  const found = nodes[low];
  if (found === undefined) throw new RangeError(`no text at ${offset}`);
  return [found.node, offset - found.start];
}
