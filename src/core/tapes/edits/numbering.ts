import { type JsonNode, member } from '../../json/jsonDocument';
import type { Splice } from '../../text/splice';

/** What recorders number their entries by. */
const NAMES: readonly string[] = ['id', 'index', 'sequence', 'seq', 'order', 'number', 'step', 'turn'];

/** A member by which all entries of a list are numbered in their order, with the number of the first. */
interface Numbering {
  readonly name: string;
  readonly first: number;
}

/** The numberings that hold. One entry alone tells nothing, unless it begins at 0 or 1. */
export function numberingsOf(entries: readonly JsonNode[]): Numbering[] {
  return NAMES.flatMap((name) => {
    const numbers = entries.map((entry) => wholeNumber(member(entry, name)));
    const [first] = numbers;
    if (first === undefined || (entries.length === 1 && first > 1)) return [];
    return numbers.every((number, index) => number === first + index) ? [{ name, first }] : [];
  });
}

function wholeNumber(node: JsonNode | undefined): number | undefined {
  return node?.type === 'number' && /^\d{1,9}$/.test(node.lexeme) ? Number(node.lexeme) : undefined;
}

/** What makes a numbering hold again. */
export function renumber(entries: readonly JsonNode[], { name, first }: Numbering): Splice[] {
  return entries.flatMap((entry, index) => {
    const node = member(entry, name);
    const number = `${first + index}`;
    if (node?.type !== 'number' || node.lexeme === number) return [];
    return [{ start: node.start, end: node.end, text: number }];
  });
}
