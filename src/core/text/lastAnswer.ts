/**
 * The function, with its last answer kept until the running task ends: to find the format of a file, to read it and to
 * edit it, the same is asked of the same text. No text is kept longer than that.
 */
export function lastAnswer<T>(ask: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly answer: T } | undefined;
  return (text) => {
    if (last?.text !== text) {
      last = { text, answer: ask(text) };
      queueMicrotask(() => {
        last = undefined;
      });
    }
    return last.answer;
  };
}
