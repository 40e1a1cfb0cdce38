const LOOKED_AT = 4096;
/** Every turn takes a whole line, so that no text can be read in two ways: the time is that of one look at it. */
const PROLOGUE = /^(?:[^\S\n]*(?:---[^\n]*|#[^\n]*)?\n)*[^\S\n]*/;

/** The beginning of a text, behind blank lines, comments and the start of a document. */
export function afterPrologue(text: string): string {
  const head = text.slice(0, LOOKED_AT);
  return head.slice(PROLOGUE.exec(head)?.[0].length ?? 0);
}
