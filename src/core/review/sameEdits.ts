import type { Change } from '../model/change';
import { replacedWords } from './likeness';

/** Fields of a run that follow from what a model has said: changed in the same words, they are the same edit. */
const OUTCOMES: readonly unknown[] = ['output_text', 'llm_response', 'tool_calls'];

/**
 * The changes of a run, or of a baseline, that are edits of the tape seen again: by their ids, those of the tape's changes. A recording
 * says each thing there and here. Of changes that are alike, each is the counterpart of one, in their order.
 */
export function sameEdits(ofRun: readonly Change[], ofTape: readonly Change[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const exact = byText(ofTape, textsOf);
  for (const change of ofRun) {
    const id = next(exact.get(textsOf(change)));
    if (id !== undefined) found.set(change.id, id);
  }
  const said = ofTape.filter(({ place }) => place.path[0] === 'response');
  const words = byText(said, wordsOf);
  for (const change of ofRun) {
    if (found.has(change.id) || !OUTCOMES.includes(change.place.path[0])) continue;
    const id = next(words.get(wordsOf(change)));
    if (id !== undefined) found.set(change.id, id);
  }
  const isWhole = ({ subject, place }: Change): boolean => subject === 'file' && place.path.length === 0;
  const whole = ofTape.find(isWhole);
  for (const change of ofRun) if (whole !== undefined && isWhole(change)) found.set(change.id, whole.id);
  return found;
}

/** The next one; the last one stays for those that are alike and more. */
function next(ids: string[] | undefined): string | undefined {
  return ids !== undefined && ids.length > 1 ? ids.shift() : ids?.[0];
}

function byText(changes: readonly Change[], keyOf: (change: Change) => string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const change of changes) found.set(keyOf(change), [...(found.get(keyOf(change)) ?? []), change.id]);
  return found;
}

function textsOf({ kind, before, after }: Change): string {
  return JSON.stringify([kind, before, after]);
}

function wordsOf({ kind, before, after }: Change): string {
  const words = replacedWords(before, after);
  return JSON.stringify([kind, words.before, words.after]);
}
