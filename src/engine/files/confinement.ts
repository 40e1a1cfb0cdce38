import { AsyncLocalStorage } from 'node:async_hooks';
import { realpathSync } from 'node:fs';
import { t } from '../../core/text/l10n';
import { isSystemError } from '../errors/systemError';
import { requireNamedMachine } from './machines';
import { isInside } from './projectPaths';

/** The root of a project, as it was named and without links. */
interface Confinement {
  readonly root: string;
  readonly place: string;
}

const confinement = new AsyncLocalStorage<Confinement>();

/**
 * Runs `work`, and rejects whatever it reads outside of the project at `root`, also through a link. For what a language
 * model asks for: a case may name any file as its tape.
 */
export function confinedTo<T>(root: string, work: () => Promise<T>): Promise<T> {
  return confinement.run({ root, place: realpathSync.native(root) }, work);
}

/** Runs `work` without that limit: for folders that this process has made. */
export function unconfined<T>(work: () => Promise<T>): Promise<T> {
  return confinement.exit(work);
}

/** A system error like those that Node rejects with, so that callers report it in the same place. */
class OutsideProjectError extends Error {
  readonly code = 'EOUTSIDE';
  readonly syscall = 'open';

  constructor(readonly path: string) {
    super(t('it is outside the project'));
  }
}

/** Throws if the file at `path` may not be read here, without revealing whether it exists. */
export function requireReadable(path: string): void {
  requireNamedMachine(path);
  const within = confinement.getStore();
  if (within === undefined) return;
  const place = placeOf(path);
  if (place === undefined ? isInside(within.root, path) : isInside(within.place, place)) return;
  throw new OutsideProjectError(path);
}

/** Where the path leads without links; undefined if that is nowhere. */
function placeOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
