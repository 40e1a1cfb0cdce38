import nativePath, { type PlatformPath, win32 } from 'node:path';

/** What is in what, and what a path is called, on one kind of system. */
interface Paths {
  /** `path`, in whatever form the system gives it, with `/`. */
  withSlashes(path: string): string;
  /** The way from `root` to `path`, with `/` on every system; whole where no way leads there, as from one drive to another. */
  fromRoot(root: string, path: string): string;
  /** Whether `path` is the folder, or in it. */
  isInside(folder: string, path: string): boolean;
  /** Whether both name one file, however they are written. Links are not followed. */
  isSame(path: string, other: string): boolean;
  /** The names on the way from `root` to `path`; `..` for each folder that it climbs. None for `root` itself. */
  segments(root: string, path: string): readonly string[];
  /** A text about files, in which those in `folder` are named from there, with `/`. */
  shortened(folder: string, text: string): string;
  /**
   * The first name in `path` that no file should have on this system, because most programs could neither open nor remove it there, or
   * because it hides what is written. Undefined if there is none.
   */
  unusableName(path: string): string | undefined;
  /** The machine that a path leads to, in small letters, as `\\host\share\file` does; undefined for a path of this one. */
  machineOf(path: string): string | undefined;
}

/** By the `node:path` of a system. That of every system is to be had on each, for tests. */
export function pathsOf(system: PlatformPath): Paths {
  const isWindows = system.sep === win32.sep;
  const plain = isWindows ? withoutPrefix : same;
  const key = isWindows ? foldedCase : same;

  const placed = (path: string): Placed => {
    const whole = system.resolve(plain(path));
    const { root } = system.parse(whole);
    return { root, names: namesIn(whole.slice(root.length)) };
  };
  const namesIn = (path: string): readonly string[] => path.split(system.sep).filter((name) => name !== '');

  /** Undefined where the two have no folder in common. */
  const way = (from: string, to: string): readonly string[] | undefined => {
    const start = placed(from);
    const end = placed(to);
    if (key(withoutEnd(start.root)) !== key(withoutEnd(end.root))) return undefined;
    let shared = 0;
    while (shared < start.names.length && shared < end.names.length && isSameName(start, end, shared)) shared += 1;
    return [...start.names.slice(shared).map(() => '..'), ...end.names.slice(shared)];
  };
  const isSameName = (one: Placed, other: Placed, at: number): boolean =>
    one.names[at] === other.names[at] || key(one.names[at] ?? '') === key(other.names[at] ?? '');
  const withoutEnd = (root: string): string => (root.endsWith(system.sep) ? root.slice(0, -1) : root);

  /** The way to a path that is written as one in the folder: most are, and are found without resolving both. Undefined for all others. */
  const wayDown = (folder: string, path: string): string | undefined => {
    if (!path.startsWith(folder) || path[folder.length] !== system.sep || !isPlainlyAbsolute(folder)) return undefined;
    const below = path.slice(folder.length + 1);
    return ODD_SEGMENT.test(below) ? undefined : below;
  };
  const isPlainlyAbsolute = (folder: string): boolean =>
    isWindows ? /^[A-Za-z]:\\/.test(folder) : system.isAbsolute(folder);

  const withSlashes = (path: string): string => (isWindows ? path.replaceAll('\\', '/') : path);

  return {
    withSlashes,
    fromRoot(root, path) {
      const down = wayDown(root, path);
      return down === undefined
        ? (way(root, path)?.join('/') ?? withSlashes(system.resolve(plain(path))))
        : withSlashes(down);
    },
    isInside(folder, path) {
      if (wayDown(folder, path) !== undefined) return true;
      const found = way(folder, path);
      return found !== undefined && found[0] !== '..';
    },
    isSame: (path, other) => path === other || way(path, other)?.length === 0,
    segments: (root, path) => way(root, path) ?? [system.resolve(plain(path))],
    shortened(folder, text) {
      const start = `${folder}${system.sep}`;
      const [first = '', ...others] = text.split(start);
      return others.reduce(
        (before, rest) =>
          WITHIN_PATH.test(before) ? before + start + rest : before + rest.replace(PATH_IN_TEXT, withSlashes),
        first,
      );
    },
    unusableName: (path) => (isWindows ? placed(path).names.find(isUnusableOnWindows) : undefined),
    machineOf(path) {
      const [, host] = (isWindows && OF_MACHINE.exec(withoutPrefix(path))) || [];
      return host === undefined || THIS_MACHINE.test(host) ? undefined : host.toLowerCase();
    },
  };
}

/** Those of this system. */
export const ownPaths = pathsOf(nativePath);

interface Placed {
  /** The drive or the share; on others than Windows `/`. */
  readonly root: string;
  readonly names: readonly string[];
}

/** An empty segment of a path, `.`, or `..`. */
const ODD_SEGMENT = /(?:^|[\\/])\.{0,2}(?:[\\/]|$)/;

/** As far as a path in a text is told from what follows: those with spaces keep their backslashes after the first one. */
const PATH_IN_TEXT = /^[^\s:'"]+/;

/** What stands before a folder that only ends like the one looked for, as `/q` in `/q/p/a` before `/p/`. */
const WITHIN_PATH = /[\p{L}\p{N}_.~\\/-]$/u;

function same(text: string): string {
  return text;
}

/** `\\?\C:\a`, as the system's own calls have it, is `C:\a`, and `\\?\UNC\host\share` is `\\host\share`. */
function withoutPrefix(path: string): string {
  const [prefix = '', share] = /^[\\/]{2}[?.][\\/](?:(UNC)[\\/]|(?=[A-Za-z]:[\\/]))/i.exec(path) ?? [];
  return `${share === undefined ? '' : '\\\\'}${path.slice(prefix.length)}`;
}

/**
 * What NTFS compares: capital letters, unit by unit, of which none becomes a letter of ASCII. That is not what a language has: İ is no i,
 * ß no SS. A name is as long as before, other than with `toLowerCase`, on which `relative` of Node relies.
 */
function foldedCase(name: string): string {
  return name.replace(/[a-z]|[\u0080-\uffff]/g, (unit) => {
    const capital = unit.toUpperCase();
    return capital.length === 1 && capital > '\u007f' === unit > '\u007f' ? capital : unit;
  });
}

/** A path of a share: `\\host\share`, also with `/`. */
const OF_MACHINE = /^[\\/]{2}([^\\/?.][^\\/]*)/;
const THIS_MACHINE = /^(?:localhost|127\.\d+\.\d+\.\d+|wsl\$|wsl\.localhost)$/i;

/** Names of devices in each folder, with any extension: https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:\.|$)/i;

/** With a colon, a name is that of a stream that no listing shows. Dots and spaces at the end are dropped by most programs. */
function isUnusableOnWindows(name: string): boolean {
  return DEVICE.test(name) || /[<>:"|?*\p{Cc}]|[. ]$/u.test(name);
}
