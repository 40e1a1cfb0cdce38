import type { Problem, Span } from '../../text/source';

/** What could not be read of a recorded answer, at its place. Such an answer is shown as it is: nothing is broken. */
export function wireProblems(sentences: readonly string[], { start, end }: Span): Problem[] {
  return sentences.map((message) => ({ severity: 'info', message, span: { start, end: Math.min(end, start + 1) } }));
}
