import { formatJson } from '../../../src/core/json/formatJson';
import type { Change } from '../../../src/core/model/change';

/** Longer JSON is shown as it was recorded. */
const MAX_FORMATTED = 1_000_000;

/** A change whose texts are JSON, as of a tool's result, with them laid out as in the transcript, unless they differ in their layout alone. */
export function laidOut<T extends Change>(change: T): T {
  if (change.language === 'json') return change;
  const before = formatted(change.before);
  const after = formatted(change.after);
  if (before === undefined || after === undefined) return change;
  const isHidden = before === after && change.before !== change.after;
  return before + after === '' || isHidden ? change : { ...change, before, after, language: 'json' };
}

/** Undefined for a text that is no JSON. */
function formatted(text: string): string | undefined {
  if (text === '') return text;
  return text.length > MAX_FORMATTED ? undefined : formatJson(text);
}
