import nativePath from 'node:path';
import { pathsOf } from './paths';

const { machineOf } = pathsOf(nativePath);

/** Those that the user has named: in a command, and by the folder that was opened. */
const named = new Set<string>();

/** From now on, the machine of this path may be asked for files. */
export function allowMachineOf(path: string): void {
  const machine = machineOf(path);
  if (machine !== undefined) named.add(machine);
}

for (const path of [process.cwd(), ...process.argv]) allowMachineOf(path);

/**
 * Whether a path leads to another machine that the user has not named. On Windows, whoever only looks whether `\\host\share\file` is there
 * tells that host who the user is, with a proof of the password, and a stranger's case may name any path.
 */
export function isElsewhere(path: string): boolean {
  const machine = machineOf(path);
  return machine !== undefined && !named.has(machine);
}
