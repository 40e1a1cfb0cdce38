export type LazyCore = typeof import('./lazyCore');

let loading: Promise<LazyCore> | undefined;

/** Loads the readers of every format. They are a bundle of their own, loaded once, with the first tape. */
export function loadCore(): Promise<LazyCore> {
  loading ??= import('./lazyCore');
  return loading;
}
