import { chmodSync, cpSync, existsSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../corpus';

/**
 * The folder of an original in `../shared/originals`, or in the folder that TAPEDECK_ORIGINALS names. Throws where there is
 * none: a suite that compares with nothing must not pass.
 */
export function originalFolder(name: string): string {
  const originals = process.env.TAPEDECK_ORIGINALS ?? join(projectFolder, '../shared/originals');
  const folder = join(originals, name);
  if (existsSync(folder)) return folder;
  throw new Error(
    `NOTHING WAS COMPARED: there is no ${folder}. Set TAPEDECK_ORIGINALS to the folder that holds the originals.`,
  );
}

/** The folder in the user's cache that an original is built or installed in. It is kept for the next run. */
export function originalCache(name: string): string {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'tapedeck-originals', name);
}

/** Copies an original to its cache, where it may be written to. Files keep their times, so that only changes are built. */
export function copyOriginal(name: string): string {
  const cache = originalCache(name);
  cpSync(originalFolder(name), cache, { recursive: true, preserveTimestamps: true, mode: 0 });
  makeWritable(cache);
  return cache;
}

function makeWritable(path: string): void {
  const { mode } = statSync(path);
  if ((mode & 0o200) === 0) chmodSync(path, mode | 0o200);
  if (!statSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) if (name !== 'target') makeWritable(join(path, name));
}
