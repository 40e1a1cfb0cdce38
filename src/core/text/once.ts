/** The function, with its answer worked out when it is first asked for. */
export function once<T>(ask: () => T): () => T {
  let known: { readonly answer: T } | undefined;
  return () => {
    known ??= { answer: ask() };
    return known.answer;
  };
}
