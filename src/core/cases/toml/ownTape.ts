/** The paths are relative to the folder of the case, with `/`. */
interface TapesAround {
  /** The name of the case. */
  readonly name: string;
  readonly tapes: readonly string[];
  /** The tapes that other cases name, recorded or not. */
  readonly takenTapes: readonly string[];
  /** Whether the case is in the root folder of its project, so that `..` leads out of it. */
  readonly isAtRoot: boolean;
}

/**
 * A tape for a new case that no other case uses, as the first recording replaces it. It is put beside the nearest tapes that
 * there are, or in a folder `tapes`.
 */
export function ownTape(
  { name, tapes, takenTapes, isAtRoot }: TapesAround,
  ending: 'tape.json' | 'tape.jsonl',
): string {
  const depth = (path: string): number => path.split('/').length;
  const nearest = tapes
    .filter((path) => /\.tape\.jsonl?$/.test(path))
    .reduce<string | undefined>((best, path) => (best && depth(best) <= depth(path) ? best : path), undefined);
  const folder = nearest?.replace(/[^/]*$/, '') ?? (isAtRoot ? 'tapes/' : '../tapes/');
  const taken = new Set([...tapes, ...takenTapes]);
  for (let count = 1; ; count += 1) {
    const path = `${folder}${name}${count === 1 ? '' : `-${count}`}.${ending}`;
    if (!taken.has(path)) return path;
  }
}
