import { diffLines, diffWordsWithSpace } from 'diff';

/** A piece of two texts laid over each other. */
export interface WordChange {
  readonly type: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Comparing may take quadratic time: two texts that take longer than this have nothing in common. */
const WORDS_TIMEOUT_MS = 200;

/** Two texts laid over each other, word by word. */
export function diffWords(before: string, after: string): readonly WordChange[] {
  const pieces = diffWordsWithSpace(before, after, { timeout: WORDS_TIMEOUT_MS });
  if (pieces === undefined) {
    return [
      { type: 'removed', text: before },
      { type: 'added', text: after },
    ];
  }
  return pieces.map(({ added, removed, value }) => ({
    type: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }));
}

/** A piece of a text that was changed; `skipped` stands for so many characters that are the same. */
export type DiffPiece =
  | { readonly type: 'same' | 'added' | 'removed'; readonly text: string }
  | { readonly type: 'skipped'; readonly length: number };

/** Together longer texts are compared by their lines. */
const MAX_WORD_LENGTH = 100_000;
/** Comparing may take quadratic time; after this many milliseconds the texts count as wholly different. */
const LINES_TIMEOUT_MS = 300;
/** So much of what is the same is kept beside a change, and so much of a change is shown. */
const CONTEXT = 100;
const MAX_PIECE = 20_000;

/** What was taken from a text and what was put in, word by word. */
export function diffText(before: string, after: string): readonly DiffPiece[] {
  const isLong = before.length + after.length > MAX_WORD_LENGTH;
  const changes = isLong ? lineChanges(before, after) : diffWords(before, after);
  return changes.flatMap(({ type, text }, index): DiffPiece[] =>
    type === 'same' ? context(text, index > 0, index < changes.length - 1) : shortened(type, text),
  );
}

function lineChanges(before: string, after: string): readonly WordChange[] {
  const lines = diffLines(before, after, { timeout: LINES_TIMEOUT_MS }) ?? [
    { value: before, added: false, removed: true },
    { value: after, added: true, removed: false },
  ];
  return lines.map(({ value, added, removed }) => ({
    type: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }));
}

function shortened(type: 'added' | 'removed', text: string): DiffPiece[] {
  if (text.length <= MAX_PIECE) return [{ type, text }];
  return [
    { type, text: text.slice(0, MAX_PIECE) },
    { type: 'skipped', length: text.length - MAX_PIECE },
  ];
}

/** Unchanged text, as much of it as helps to see where a change stands. */
function context(text: string, hasBefore: boolean, hasAfter: boolean): DiffPiece[] {
  const head = hasBefore ? CONTEXT : 0;
  const tail = hasAfter ? CONTEXT : 0;
  if (text.length <= head + tail + CONTEXT) return [{ type: 'same', text }];
  const pieces: DiffPiece[] = [
    { type: 'same', text: text.slice(0, head) },
    { type: 'skipped', length: text.length - head - tail },
    { type: 'same', text: tail === 0 ? '' : text.slice(-tail) },
  ];
  return pieces.filter((piece) => piece.type === 'skipped' || piece.text !== '');
}
