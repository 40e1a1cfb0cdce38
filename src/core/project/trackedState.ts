import { STATE_FOLDER } from './layout';

/**
 * What git tracks at the place of a project's state. It came with a commit, so it is not its user's own: a commit must not
 * accept itself, and what it brings must not be removed, or continued, as what was recorded here.
 */
export class TrackedState {
  readonly #paths: ReadonlySet<string>;

  /** The paths are from the project's root, with `/`. */
  constructor(readonly paths: readonly string[]) {
    this.#paths = new Set(paths.map(comparable));
  }

  /** Whether git tracks the file, or a folder on the way to it: as a link, or as a submodule. */
  holds(path: string): boolean {
    const parts = comparable(path).split('/');
    return parts.some((_, end) => this.#paths.has(parts.slice(0, end + 1).join('/')));
  }

  /** Whether git tracks the file or folder, one on the way to it, or anything in it. */
  reaches(path: string): boolean {
    const inside = `${comparable(path)}/`;
    return this.holds(path) || [...this.#paths].some((tracked) => tracked.startsWith(inside));
  }
}

/** A file system may take paths that differ only in case, or in how an accent is composed, for one. */
function comparable(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/**
 * Whether git may track something in the state of a project, by the bytes of git's index: a quick look, after which most
 * need not be asked of git. Version 4 of the index shortens names, and a split one has them in another file.
 */
export function mayTrackState(index: Uint8Array): boolean {
  return index[VERSION_AT] === SHORTENED || hasText(index, SPLIT) || hasText(index, STATE_FOLDER);
}

const VERSION_AT = 7;
const SHORTENED = 4;
/** The name of the extension, and the first byte of its length. */
const SPLIT = 'link\0';

/** In letters of either case; `text` has small ones. */
function hasText(bytes: Uint8Array, text: string): boolean {
  const codes = Array.from(text, (character) => character.charCodeAt(0));
  const [first = 0] = codes;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    let same = 1;
    while (same < codes.length && smallLetter(bytes[at + same]) === codes[same]) same += 1;
    if (same === codes.length) return true;
  }
  return false;
}

function smallLetter(code: number | undefined): number | undefined {
  return code !== undefined && code >= 65 && code <= 90 ? code + 32 : code;
}
