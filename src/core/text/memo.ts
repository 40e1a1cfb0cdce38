/** The function, with its answer worked out when it is first asked for. */
export function lazy<T>(ask: () => T): () => T {
  let known: { readonly answer: T } | undefined;
  return () => {
    known ??= { answer: ask() };
    return known.answer;
  };
}

/** What every kept answer is forgotten by. */
const resets: (() => void)[] = [];
let isResetScheduled = false;

/**
 * The function, with its last answer kept until the running task ends: to find the format of a file, to read it and to
 * edit it, the same is asked of the same text. No text is kept longer than that.
 */
export function memoiseLast<T>(ask: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly answer: T } | undefined;
  resets.push(() => {
    last = undefined;
  });
  return (text) => {
    if (last?.text === text) return last.answer;
    const answer = ask(text);
    last = { text, answer };
    if (!isResetScheduled) scheduleReset();
    return answer;
  };
}

/** One time for all of them: it takes longer than many an answer. */
function scheduleReset(): void {
  isResetScheduled = true;
  queueMicrotask(() => {
    isResetScheduled = false;
    for (const forget of resets) forget();
  });
}

/**
 * The value that the function makes, kept for as long as somebody holds it and made again when it is gone: what can be
 * had again from its source need not stay in memory beside it.
 */
export function weakMemo<T extends object>(make: () => T, first?: T): () => T {
  let known = first && new WeakRef(first);
  return () => {
    const held = known?.deref();
    if (held !== undefined) return held;
    const made = make();
    known = new WeakRef(made);
    return made;
  };
}

/**
 * The same text in one piece. What was put together from pieces is kept by V8 as a tree of them until somebody looks
 * inside: a text that a parser has added up character by character takes more than 30 bytes for each.
 */
export function flattenString(text: string): string {
  return Number.isNaN(text.charCodeAt(0)) ? '' : text;
}
