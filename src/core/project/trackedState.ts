/**
 * What git tracks at the place of a project's state. Decisions in it decide nothing, because a commit must not accept itself.
 */
export class TrackedState {
  readonly #paths: ReadonlySet<string>;

  /** The paths are from the project's root, with `/`. */
  constructor(paths: readonly string[]) {
    this.#paths = new Set(paths.map(comparable));
  }

  /** Whether git tracks the file, or a folder on the way to it: as a link, or as a submodule. */
  holds(path: string): boolean {
    const parts = comparable(path).split('/');
    return parts.some((_, end) => this.#paths.has(parts.slice(0, end + 1).join('/')));
  }
}

/** A file system may take paths that differ only in case, or in how an accent is composed, for one. */
function comparable(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
