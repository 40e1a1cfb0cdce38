import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from './fileErrors';

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
