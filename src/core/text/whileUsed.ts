/**
 * The value that the function makes, kept for as long as somebody holds it and made again when it is gone: what can be
 * had again from its source need not stay in memory beside it.
 */
export function whileUsed<T extends object>(make: () => T, first?: T): () => T {
  let known = first && new WeakRef(first);
  return () => {
    const held = known?.deref();
    if (held !== undefined) return held;
    const made = make();
    known = new WeakRef(made);
    return made;
  };
}
