import { lstatSync } from 'node:fs';
import { realpath as requireRealPath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { STATE_FOLDER } from '../../core/project/layout';
import { escapeLine } from '../../core/text/escapeInvisible';
import { t } from '../../core/text/l10n';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { fileStatus, pathExists, realPath } from './fileStatus';
import { pathOfUser } from './pathOfUser';
import { ownPaths } from './paths';

/** The folder where files are written before they are renamed; on the same file system as the project. */
export function asideFolder(root: string): string {
  return join(root, STATE_FOLDER, 'tmp');
}

export const { withSlashes, fromRoot, isInside, segments, shortened, unusableName } = ownPaths;

/** `path` as it is in JSON: from the root of its project, with `/`; whole where it is outside of it. */
export function projectPath(root: string, path: string): string {
  return isInside(root, path) ? fromRoot(root, path) : withSlashes(path);
}

/**
 * `path` as the user would type it, with `/` on every system: from the working folder, or whole where that is shorter to read. It is
 * one line.
 */
export function shownPath(cwd: string, path: string): string {
  return escapeLine(projectPath(cwd, path) || '.');
}

declare const WRITABLE: unique symbol;

/**
 * A path without links that may be changed: in a project, or named by the user. What changes files takes nothing else, so
 * that nothing is written, renamed, made, or removed through a link out of the project.
 */
export type WritablePath = string & { readonly [WRITABLE]: true };

/** Where `path` is without links. Rejects with a `UserError` if that is not in the project at `root`. */
export async function placeInProject(root: string, path: string): Promise<WritablePath> {
  return placeBelow(await realPlace(root), root, path);
}

/** The same for a file, and for the folder in which it is made before it is renamed. */
export async function placesInProject(
  root: string,
  path: string,
): Promise<{ readonly target: WritablePath; readonly aside: WritablePath }> {
  const realRoot = await realPlace(root);
  const aside = await placeBelow(realRoot, root, asideFolder(root));
  return { aside, target: await placeBelow(realRoot, root, path) };
}

/** @param realRoot the root without links: it may itself be reached by one */
async function placeBelow(realRoot: string, root: string, path: string): Promise<WritablePath> {
  const place = await realPlace(path);
  requireInside(realRoot, root, path, place);
  requireUsableName(place);
  requireNoLink(root, path);
  // Nor does a link from elsewhere lead to what is ours.
  if (isInside(join(realRoot, STATE_FOLDER), place) && !isInState(root, path)) throw linkError(path);
  return place as WritablePath;
}

function requireInside(realRoot: string, root: string, path: string, place: string): void {
  if (isInside(realRoot, place)) return;
  throw new UserError(
    () =>
      isInside(root, path)
        ? t(
            '{0} resolves through a link to {1}, which is outside the project {2}: nothing is written there',
            path,
            place,
            root,
          )
        : t('{0} is outside the project {1}: nothing is written there', path, root),
    () => t('Move the file into the project, or put tapedeck.toml into the folder that holds both.'),
  );
}

function requireUsableName(path: string): void {
  const name = unusableName(path);
  if (name === undefined) return;
  throw new UserError(
    () => t('{0} cannot be written: on Windows, {1} is no name of a file', path, name),
    () =>
      t(
        'Choose a name that is not the name of a device, contains none of {0}, and does not end with a period or a space.',
        '< > : " | ? *',
      ),
  );
}

/** The same for what is at `path` itself: a link, and not what it leads to. */
export async function entryInProject(root: string, path: string): Promise<WritablePath> {
  const folder = await placeInProject(root, dirname(path));
  requireNoLink(root, path);
  return join(folder, basename(path)) as WritablePath;
}

/** Whether a path is in the project's own folder, `.tapedeck`. */
export function isInState(root: string, path: string): boolean {
  return isInside(join(root, STATE_FOLDER), path);
}

/**
 * The first link on the way from the root to a path in the project's own folder, or the path itself if it is one. We make none
 * there, so somebody else did, and what it leads to is not ours. Undefined for other paths.
 */
export function linkInState(root: string, path: string): string | undefined {
  if (!isInState(root, path)) return undefined;
  let at = root;
  for (const segment of segments(root, path)) {
    at = join(at, segment);
    const status = lstatSync(at, { throwIfNoEntry: false });
    if (status?.isSymbolicLink()) return at;
    if (!status?.isDirectory()) return undefined;
  }
  return undefined;
}

function requireNoLink(root: string, path: string): void {
  const link = linkInState(root, path);
  if (link !== undefined) throw linkError(link);
}

function linkError(link: string): UserError {
  return new UserError(
    () => t('{0} is a link, and nothing in {1}/ is read, written, or removed through a link', link, STATE_FOLDER),
    () => t('Remove the link.'),
  );
}

declare const OWN_FOLDER: unique symbol;

/**
 * A folder that Tapedeck has made for one thing, such as `.tapedeck/forks/ID`, and that no link leads to. What removes folders
 * takes nothing else.
 */
export type OwnFolder = WritablePath & { readonly [OWN_FOLDER]: true };

/** Rejects like `entryInProject`, and for every other folder. */
export async function ownFolder(root: string, path: string): Promise<OwnFolder> {
  const [top, , name] = segments(root, path);
  // `.tapedeck` itself and the folder of a kind, such as `.tapedeck/takes`, hold what belongs to others.
  if (top !== STATE_FOLDER || name === undefined)
    throw new Error(`${path} is not a folder that may be removed as a whole`);
  return (await entryInProject(root, path)) as OwnFolder;
}

/** Where a file is that the user named on the command line: the one that a link leads to. */
export async function placeOfUser(path: string): Promise<WritablePath> {
  const place = await realPlace(path);
  requireUsableName(place);
  return place as WritablePath;
}

/** A device or a pipe that the user named, which has no other place. */
export function deviceOfUser(path: string): WritablePath {
  return path as WritablePath;
}

/** The folder of a file: where that may be written, so may its folder. */
export function folderOf(path: WritablePath): WritablePath {
  return dirname(path) as WritablePath;
}

/** Another file in the folder of a file. */
export function besideFile(path: WritablePath, name: string): WritablePath {
  return join(dirname(path), name) as WritablePath;
}

/** Rejects with a `UserError` for a path that is not in the project, or that leads out of it by a link. */
export async function requireInProject(root: string, path: string): Promise<void> {
  await placeInProject(root, path);
}

/** The same for a tape, and for the folder in which it is written. */
export async function requireTapeInProject(root: string, tapePath: string): Promise<void> {
  for (const place of [asideFolder(root), tapePath]) await requireInProject(root, place);
}

/** The path of a file without links, also where it does not exist yet. A link to nothing is replaced, not followed. */
async function realPlace(path: string): Promise<string> {
  const place = await realPath(path);
  const parent = dirname(path);
  if (place !== undefined || parent === path) return place ?? path;
  const folder = await realPlace(parent);
  if ((await fileStatus(folder, { followLinks: false }))?.isLink)
    throw new UserError(
      () => t('{0} is a link that leads nowhere', parent),
      () => t('Correct the link, or remove it.'),
    );
  return join(folder, basename(path));
}

/** The absolute path of a file that an agent named. Rejects with a `UserError` for one that is missing, or outside of `root`, also by a link. */
export async function resolveInProject(root: string, named: string): Promise<string> {
  const path = resolve(root, named);
  if (!isInside(root, path)) throw outsideProject(named);
  try {
    // The address of one of several cases is its file and its id.
    const file = pathExists(path) ? path : parseCaseAddress(path).path;
    if (!isInside(await requireRealPath(root), await requireRealPath(file))) throw outsideProject(named);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(() => `${named}: ${systemReason(error)}`, 'Call list_cases for the paths of cases and tapes.');
  }
  return pathOfUser(root, path);
}

function outsideProject(named: string): UserError {
  return new UserError(
    () => t('{0} is outside this project', named),
    () => t('Pass a path relative to the root of the project.'),
  );
}
