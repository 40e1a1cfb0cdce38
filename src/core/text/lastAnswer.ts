/** What every kept answer is forgotten by. */
const forgetting: (() => void)[] = [];
let willForget = false;

/**
 * The function, with its last answer kept until the running task ends: to find the format of a file, to read it and to
 * edit it, the same is asked of the same text. No text is kept longer than that.
 */
export function lastAnswer<T>(ask: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly answer: T } | undefined;
  forgetting.push(() => {
    last = undefined;
  });
  return (text) => {
    if (last?.text === text) return last.answer;
    const answer = ask(text);
    last = { text, answer };
    if (!willForget) forgetSoon();
    return answer;
  };
}

/** One time for all of them: it takes longer than many an answer. */
function forgetSoon(): void {
  willForget = true;
  queueMicrotask(() => {
    willForget = false;
    for (const forget of forgetting) forget();
  });
}
