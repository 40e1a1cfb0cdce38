import type { Problem, Span } from '../../text/source';
import { isDamage } from '../../wire/body';

/**
 * What could not be read of a recorded answer, at its place. Such an answer is shown as it is, and nothing is broken:
 * but for compressed data that is damaged, which the program that replays it cannot read either.
 */
export function wireProblems(sentences: readonly string[], { start, end }: Span): Problem[] {
  return sentences.map((message) => ({
    severity: isDamage(message) ? 'warning' : 'info',
    message,
    span: { start, end: Math.min(end, start + 1) },
  }));
}
