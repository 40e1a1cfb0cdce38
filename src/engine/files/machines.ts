import { t } from '../../core/text/l10n';
import { ownPaths } from './paths';

const { machineOf } = ownPaths;

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

/** A system error like those that Node rejects with, so that callers report it in the same place. */
class OtherMachineError extends Error {
  readonly code = 'EOTHERMACHINE';
  readonly syscall = 'open';

  constructor(readonly path: string) {
    super(t('it is on another machine, which only you can name'));
  }
}

/** Throws for a path that leads to another machine, unless the user has named that. */
export function requireNamedMachine(path: string): void {
  if (isElsewhere(path)) throw new OtherMachineError(path);
}
