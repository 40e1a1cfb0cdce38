/** A text of which parts are read: a string, or a file that need not be in memory. */
export type TextParts = Pick<string, 'length' | 'slice' | 'charCodeAt' | 'startsWith'>;

let released: { readonly text: string; readonly parts: TextParts } | undefined;

/**
 * Runs `read`, in which readers of `text` keep `parts` in its place, so that nothing holds the text when it has ended.
 * @param parts the same text
 */
export function releasing<T>(text: string, parts: TextParts, read: () => T): T {
  const before = released;
  released = { text, parts };
  try {
    return read();
  } finally {
    released = before;
  }
}

/** What a reader of a text keeps to read parts of it later. */
export function partsOf(text: string): TextParts {
  return released !== undefined && released.text === text ? released.parts : text;
}
