type LazyCore = typeof import('./lazyCore');

let loading: Promise<LazyCore> | undefined;

/** What reads tapes, of every format. It is a file of its own beside the extension, loaded when the first tape is shown. */
export function loadCore(): Promise<LazyCore> {
  loading ??= import('./lazyCore');
  return loading;
}
