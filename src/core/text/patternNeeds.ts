import type { PatternNode } from './parsePattern';

/** Something in a pattern that RE2 does not have, or only for some texts. */
export type Demand = 'lookahead' | 'unicode-boundary' | 'end-or-final-newline';

export function demandsOf(node: PatternNode, found = new Set<Demand>()): ReadonlySet<Demand> {
  if (node.type === 'place') {
    if (node.place === 'end-or-final-newline') found.add(node.place);
    if (node.word.includes('\\p')) found.add('unicode-boundary');
  }
  if (node.type === 'look' && !node.behind) found.add('lookahead');
  for (const part of partsOf(node)) demandsOf(part, found);
  return found;
}

/** How many characters a pattern has when its repetitions are written out, which is about the size of its automaton. */
export function patternSize(node: PatternNode): number {
  const inner = partsOf(node).reduce((sum, part) => sum + patternSize(part), 1);
  if (node.type !== 'repeat') return inner;
  return inner * Math.max(1, node.most ?? node.least + 1);
}

/** The parts that a pattern directly consists of. */
export function partsOf(node: PatternNode): readonly PatternNode[] {
  if (node.type === 'sequence' || node.type === 'choice') return node.parts;
  return node.type === 'repeat' || node.type === 'look' ? [node.body] : [];
}
