/** A piece of code that has one colour. */
export interface CodeToken {
  /** Absent for what has the colour of the text. */
  readonly kind?: CodeKind;
  readonly text: string;
}

export type CodeKind = 'comment' | 'keyword' | 'string' | 'number' | 'name' | 'type' | 'key';

/** Colours cost more time than they are worth in longer texts; and in longer lines, in which some grammars try very much. */
const [MOST_CHARACTERS, LONGEST_LINE] = [10_000, 200];

export function isColourable(text: string): boolean {
  return text.length <= MOST_CHARACTERS && text.split('\n').every(({ length }) => length <= LONGEST_LINE);
}
