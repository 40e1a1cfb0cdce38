import { randomBytes } from 'node:crypto';
import { access, chmod, constants, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode, isSystemError, systemReason, unlessMissing } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { requireInProject } from './projectPaths';

export interface AtomicWriteOptions {
  /** Where the text is written before it takes the place of the file; created when it is not there. */
  readonly asideFolder: string;
  /** The root of the project that neither the file nor the folder may be outside of. */
  readonly project?: string;
  /** False for what the next run makes again: it need not survive a power failure, and is not waited for. */
  readonly durable?: boolean;
}

/**
 * Replaces the file at `path`, or makes it, with its folders. Afterwards it is the old one or the new one, whole, even
 * if the process or the machine dies meanwhile. A symbolic link stays one: the file it points to is replaced. Rejects
 * with a `UserError` where one would lead out of the project.
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  options: AtomicWriteOptions,
): Promise<void> {
  const { asideFolder, project, durable = true } = options;
  if (project !== undefined) for (const place of [asideFolder, path]) await requireInProject(project, place);
  const target = (await unlessMissing(realpath(path))) ?? path;
  const beside = dirname(target);
  await mkdir(beside, { recursive: true });
  await mkdir(asideFolder, { recursive: true });
  await sweepLeftovers(asideFolder);
  try {
    await writeThrough(asideFolder, target, content, durable);
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error;
    // Nothing can be renamed from one file system to another, so here the text waits beside its target.
    await sweepLeftovers(beside);
    await writeThrough(beside, target, content, durable);
  }
  if (durable) await syncFolder(beside);
}

async function writeThrough(
  folder: string,
  target: string,
  content: string | Uint8Array,
  durable: boolean,
): Promise<void> {
  const aside = asidePath(folder);
  try {
    await writeAside(aside, content, durable);
    const old = await unlessMissing(stat(target));
    if (old !== undefined) await chmod(aside, old.mode);
    await rename(aside, target);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

/** The name carries the process, so that the next run can tell leftovers of dead processes from work in progress. */
export function asidePath(folder: string): string {
  return join(folder, `.tapedeck-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
}

async function writeAside(path: string, content: string | Uint8Array, durable: boolean): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(content);
    if (durable) await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the renaming itself durable. Not every system lets a folder be opened and synced; there the rename has to do. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'EISDIR', 'EACCES', 'EINVAL', 'ENOTSUP')) throw error;
  }
}

const ASIDE_NAME = /^\.tapedeck-(\d+)-[0-9a-f]{12}\.tmp$/;

/** Removes from a folder what writes left there when their process was killed. Work in progress stays. */
export async function sweepLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = ASIDE_NAME.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, name), { force: true });
  }
}

/** Is there a process with this id? Another user's process counts: it answers with a refusal. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/** Rejects with a `UserError` where the file at `path` could not be made, with the folders that are not there yet. */
export async function requireWritableFolder(path: string): Promise<void> {
  try {
    await access(await nearestFolder(dirname(path)), constants.W_OK);
  } catch (error) {
    throw isSystemError(error) ? unwritableError(path, error) : error;
  }
}

/** What the system says against writing a file, for the user. */
export function unwritableError(path: string, error: NodeJS.ErrnoException): UserError {
  return new UserError(`${path} cannot be written: ${systemReason(error)}`, 'Name a file in a folder of yours.');
}

async function nearestFolder(folder: string): Promise<string> {
  const there = await unlessMissing(stat(folder));
  if (there === undefined) return nearestFolder(dirname(folder));
  if (there.isDirectory()) return folder;
  throw new UserError(`${folder} is no folder`, 'Name a file in a folder of yours.');
}
