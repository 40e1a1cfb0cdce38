import { win32 } from 'node:path';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';

/** What Windows is told to start. */
interface WindowsCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** The arguments are one line of `cmd`, in which everything is quoted. */
  readonly isQuoted: boolean;
}

interface WindowsPlace {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The size of the file at an absolute path, in bytes; undefined if there is none. */
  sizeOf(path: string): number | undefined;
}

/**
 * How a command is started on Windows. Programs are looked for as a shell does: on the PATH, with the endings of `PATHEXT`, so that
 * `npx` is `npx.cmd`. The system itself would look into the working folder first, where a stranger's `node.exe` may be, and knows only
 * `.exe`. What is not found is left as it is. Throws a `UserError` for an argument that no batch file can be given.
 */
export function windowsCommand([name = '', ...args]: readonly string[], place: WindowsPlace): WindowsCommand {
  const found = findProgram(name, place);
  if (found === undefined) return { program: name, args, isQuoted: false };
  const { path, before } = found;
  const all = [...before, ...args];
  if (/[\\/]cmd\.exe$/i.test(path) && all.length > 1 && /^\/c$/i.test(all.at(-2) ?? '')) return lineOfCmd(path, all);
  return BATCH.test(path) ? batchCommand(path, all, place) : { program: path, args: all, isQuoted: false };
}

/** Whether there is a program of this name, or at this path. */
export function isWindowsProgram(name: string, place: WindowsPlace): boolean {
  return findProgram(name, place) !== undefined;
}

interface FoundProgram {
  readonly path: string;
  readonly before: readonly string[];
}

/** Windows' Python is `python`, or `py`, whatever a case that was written elsewhere calls it. */
const OTHER_NAMES: Readonly<Record<string, readonly (readonly [name: string, ...args: string[]])[]>> = {
  python3: [['python3'], ['python'], ['py', '-3']],
  python: [['python'], ['py']],
};

function findProgram(name: string, place: WindowsPlace): FoundProgram | undefined {
  if (/[\\/]/.test(name)) {
    const path = fileOf(win32.resolve(place.cwd, name), place) ?? inVirtualEnvironment(name, place);
    return path === undefined ? undefined : { path, before: [] };
  }
  const names = OTHER_NAMES[name.toLowerCase()] ?? [[name]];
  const found = names.flatMap(([other, ...before]) => onPath(other, place).map((path) => ({ path, before })));
  // An empty `python.exe` offers the one of Microsoft's store, whether it is installed or not.
  return found.find(({ path }) => place.sizeOf(path) !== 0) ?? found[0];
}

function onPath(name: string, place: WindowsPlace): readonly string[] {
  const folders = (variable(place, 'PATH') ?? '').split(';').map((folder) => folder.replaceAll('"', ''));
  return folders
    .filter((folder) => /^(?:[A-Za-z]:)?[\\/]/.test(folder))
    .flatMap((folder) => fileOf(win32.join(folder, name), place) ?? []);
}

/** `.venv/bin/python`, as a case says that was written elsewhere, is `.venv/Scripts/python.exe`. */
function inVirtualEnvironment(name: string, place: WindowsPlace): string | undefined {
  const path = win32.resolve(place.cwd, name);
  const bin = win32.dirname(path);
  const environment = win32.dirname(bin);
  if (win32.basename(bin) !== 'bin' || place.sizeOf(win32.join(environment, 'pyvenv.cfg')) === undefined)
    return undefined;
  const program = win32.basename(path).replace(/^python3(?:\.\d+)?$/, 'python');
  return fileOf(win32.join(environment, 'Scripts', program), place);
}

/** What starts without a program of its own. */
const STARTS = /\.(?:exe|com|cmd|bat)$/i;
const BATCH = /\.(?:cmd|bat)$/i;

/** The file at `path`, or at `path` with an ending that Windows starts. */
function fileOf(path: string, place: WindowsPlace): string | undefined {
  const endings = (variable(place, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter((one) => STARTS.test(one));
  const candidates = [...(STARTS.test(path) ? [path] : []), ...endings.map((ending) => path + ending.toLowerCase())];
  return candidates.find((candidate) => place.sizeOf(candidate) !== undefined);
}

/** The names of variables have no case. */
function variable({ environment }: WindowsPlace, name: string): string | undefined {
  return Object.entries(environment).find(([other]) => other.toUpperCase() === name)?.[1];
}

/** A line that the user typed for `cmd`, which reads it as it is, quotes too. */
function lineOfCmd(program: string, args: readonly string[]): WindowsCommand {
  return { program, args: [...args.slice(0, -2), '/s', '/c', `"${args.at(-1)}"`], isQuoted: true };
}

/**
 * A batch file runs only in `cmd`, which reads its line twice: the line itself, and again where the file says `%*`. So each argument
 * is in quotes that neither ends: a quote in it is doubled, and `%` is followed by an empty part of a variable, so that no name
 * of a variable stands between two of them. This is what the library of Rust does since CVE-2024-24576.
 */
function batchCommand(path: string, args: readonly string[], place: WindowsPlace): WindowsCommand {
  const line = [path, ...args].map((word, index) => quoted(word, index === 0)).join(' ');
  const program = win32.join(variable(place, 'SYSTEMROOT') ?? 'C:\\Windows', 'System32', 'cmd.exe');
  return { program, args: ['/e:ON', '/v:OFF', '/d', '/s', '/c', `"${line}"`], isQuoted: true };
}

const PLAIN_WORD = /^[\w#$*+./:?@\\-]+$/;

function quoted(word: string, isProgram: boolean): string {
  if (/[\0\r\n]/.test(word))
    throw new UserError(
      () => t('a batch file of Windows cannot be given an argument of several lines'),
      () => t('Pass the text in a file, or start the program directly instead of by its batch file.'),
    );
  if (!isProgram && PLAIN_WORD.test(word) && !word.endsWith('\\')) return word;
  const inQuotes = word
    .replaceAll('%', '%%cd:~,%')
    // Before a quote, programs take two backslashes for one.
    .replace(/(\\*)("|$)/g, (_, backslashes: string, end: string) => backslashes + backslashes + (end && '""'));
  return `"${inQuotes}"`;
}
