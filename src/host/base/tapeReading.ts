type TapeReading = typeof import('../../reader/lazyCore');

let loading: Promise<TapeReading> | undefined;

/** What reads tapes, of every format. It is a file of its own beside the extension, loaded when the first tape is shown. */
export function tapeReading(): Promise<TapeReading> {
  loading ??= import('../../reader/lazyCore');
  return loading;
}
