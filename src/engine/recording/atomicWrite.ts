import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode, unlessMissing } from './fileErrors';
import { requireInside } from './insideProject';
import { sweepLeftovers } from './leftovers';

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
  if (project !== undefined) for (const place of [asideFolder, path]) await requireInside(project, place);
  const target = (await unlessMissing(realpath(path))) ?? path;
  const beside = dirname(target);
  await mkdir(beside, { recursive: true });
  await mkdir(asideFolder, { recursive: true });
  await sweepLeftovers(asideFolder);
  try {
    await writeVia(asideFolder, target, content, durable);
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error;
    // Nothing can be renamed from one file system to another, so here the text waits beside its target.
    await sweepLeftovers(beside);
    await writeVia(beside, target, content, durable);
  }
  if (durable) await syncFolder(beside);
}

async function writeVia(folder: string, target: string, content: string | Uint8Array, durable: boolean): Promise<void> {
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
