import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode, unlessMissing } from '../errors/systemError';
import { realPath } from './fileStatus';
import { isAlive } from './isAlive';

export interface AtomicWriteOptions {
  /** Where the content is written before it replaces the file; created when it does not exist. */
  readonly asideFolder: string;
  /** False for what the next run makes again: it need not survive a power failure, and is not waited for. */
  readonly durable?: boolean;
}

/**
 * Replaces the file at `path`, or creates it, with its folders. Afterwards it is the old one or the new one, whole, even
 * if the process or the machine dies meanwhile. A symbolic link stays one: the file it points to is replaced.
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  { asideFolder, durable = true }: AtomicWriteOptions,
): Promise<void> {
  const target = (await realPath(path)) ?? path;
  const beside = dirname(target);
  await mkdir(beside, { recursive: true });
  await mkdir(asideFolder, { recursive: true });
  await sweepLeftovers(asideFolder);
  try {
    await writeThrough(asideFolder, target, content, durable);
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error;
    // Nothing can be renamed from one file system to another, so the content is written beside its target.
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
  await throughAside(folder, target, async (aside) => {
    await writeAside(aside, content, durable);
    const old = await unlessMissing(stat(target));
    if (old !== undefined) await chmod(aside, old.mode);
  });
}

/** Has `write` create a file in `folder`, and renames it to `target`. When either fails, that file is removed. */
export async function throughAside(
  folder: string,
  target: string,
  write: (aside: string) => Promise<void>,
): Promise<void> {
  // The process id lets the next run distinguish leftovers of dead processes from work in progress.
  const aside = join(folder, `.tapedeck-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  try {
    await write(aside);
    await rename(aside, target);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
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

/** Makes the renaming itself durable. Some systems do not let a folder be opened and synced; there the rename has to do. */
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

/** Removes the files that killed processes left in a folder. Work in progress stays. */
async function sweepLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = ASIDE_NAME.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, name), { force: true });
  }
}
