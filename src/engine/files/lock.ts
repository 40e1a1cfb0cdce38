import { createHash, randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { STATE_FOLDER } from '../../core/project/layout';
import { parseDocument } from '../../core/schema/parseDocument';
import { shape, text, type Value, where } from '../../core/schema/schema';
import { t } from '../../core/text/l10n';
import { unlessMissing } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { createFile, remove, touch } from './changeFile';
import { isRunning, ownIdentity, PROCESS } from './isAlive';
import { besideFile, fromRoot, placeInProject, type WritablePath } from './projectPaths';
import { placeInState } from './stateFolder';
import { untilFree } from './untilFree';

/** What a lock file says of the process that holds the lock. */
const LOCK_FILE = shape({
  ...PROCESS,
  /** When it took the lock: ISO 8601, UTC. */
  since: text(),
  /** Different for every lock that was ever taken. */
  id: where(text(), (id) => /^\w+$/.test(id)),
});
type LockFile = Value<typeof LOCK_FILE>;

/** The process that holds a lock. */
type LockHolder = Omit<LockFile, 'id'>;

interface HeldLock {
  release(): Promise<void>;
}

interface LockOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long another process is waited for. */
  readonly patienceMs?: number;
}

/** A lock is held for as long as a file takes to be written. */
const PATIENCE_MS = 30_000;
const RETRY_MS = 15;
/** How often a holder shows that it is still there, to those that cannot see its process. */
const SIGN_OF_LIFE_MS = 5_000;
/** After this long without such a sign, the holder is gone. */
const SILENCE_MS = 30_000;

/** The last of those in this process that wait for a lock or hold it, by the path of the file: they take turns. */
const queues = new Map<string, Promise<void>>();

/**
 * Runs `work` while no other process, and nothing else in this one, has the lock on `path`, a file of the project at `root`
 * that need not exist. A lock of a process that was killed counts for nothing. Rejects with a `UserError` that names the
 * holder when it is not released in time, and with the signal's reason. Not reentrant.
 */
export async function withLock<T>(
  root: string,
  path: string,
  work: () => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const earlier = queues.get(path);
  let end = (): void => undefined;
  const turn = new Promise<void>((resolve) => {
    end = resolve;
  });
  queues.set(path, turn);
  try {
    await earlier;
    const held = await waitFor(await lockPath(root, path, 'write'), root, path, options);
    try {
      return await work();
    } finally {
      await held.release();
    }
  } finally {
    end();
    if (queues.get(path) === turn) queues.delete(path);
  }
}

/** Takes the lock on the recording of `path`, or returns who holds it. */
export async function tryLock(root: string, path: string): Promise<HeldLock | { readonly holder: LockHolder }> {
  return take(await lockPath(root, path, 'record'));
}

async function waitFor(
  lock: WritablePath,
  root: string,
  path: string,
  { signal, patienceMs = PATIENCE_MS }: LockOptions,
): Promise<HeldLock> {
  const started = performance.now();
  for (;;) {
    signal?.throwIfAborted();
    const taken = await take(lock);
    if ('release' in taken) return taken;
    if (performance.now() - started > patienceMs) throw heldError(root, path, lock, taken.holder);
    await pause(RETRY_MS * (0.5 + Math.random()), undefined, signal && { signal });
  }
}

function heldError(root: string, path: string, lock: string, { pid, since }: LockHolder): UserError {
  return new UserError(
    () => t('{0} is being written by process {1}, since {2}', fromRoot(root, path), pid, since),
    () =>
      t('Stop that process, and try again. If it is not running, remove {0}/locks/{1}.', STATE_FOLDER, basename(lock)),
  );
}

async function take(lock: WritablePath): Promise<HeldLock | { readonly holder: LockHolder }> {
  const id = randomBytes(6).toString('hex');
  const own: LockFile = { ...ownIdentity(), since: new Date().toISOString(), id };
  for (;;) {
    // Windows lets nothing be where a lock was until the last of those that wait for it has closed it.
    if (await untilFree(() => createFile(lock, `${JSON.stringify(own)}\n`))) return hold(lock);
    const found = await readLock(lock);
    if (found === undefined) continue;
    if (!(await isStale(lock, found))) return { holder: found };
    await breakLock(lock, found);
  }
}

function hold(lock: WritablePath): HeldLock {
  const signs = setInterval(() => touch(lock).catch(() => undefined), SIGN_OF_LIFE_MS).unref();
  return {
    release: async () => {
      clearInterval(signs);
      await remove(lock);
    },
  };
}

/**
 * Removes the lock of a process that is gone. Only who has the lock on this very lock may do so, and only while it is still
 * the same: of two processes that find it, the slower one would otherwise remove the lock that the faster one took.
 */
async function breakLock(lock: WritablePath, found: LockFile): Promise<void> {
  const breaking = await take(besideFile(lock, `${basename(lock)}-${found.id}`));
  if (!('release' in breaking)) {
    await pause(RETRY_MS);
    return;
  }
  try {
    if ((await readLock(lock))?.id === found.id) await remove(lock);
  } finally {
    await breaking.release();
  }
}

async function isStale(lock: WritablePath, holder: LockFile): Promise<boolean> {
  const running = isRunning(holder);
  if (running !== undefined) return !running;
  const status = await unlessMissing(stat(lock));
  return status !== undefined && Math.abs(Date.now() - status.mtimeMs) > SILENCE_MS;
}

/** The lock file; undefined if it is gone. One that is not whole, or not ours, has an unknown holder. */
async function readLock(lock: WritablePath): Promise<LockFile | undefined> {
  const source = await unlessMissing(readFile(lock, 'utf8'));
  if (source === undefined) return undefined;
  // One that is not whole was created a moment ago, on a file system without hard links.
  return parseDocument(LOCK_FILE, source) ?? { pid: 0, machine: '', since: t('an unknown time'), id: 'unknown' };
}

/** The lock file of a file, by where it is without links: it may be reached by several paths. */
async function lockPath(root: string, path: string, purpose: 'write' | 'record'): Promise<WritablePath> {
  const place = await placeInProject(root, path);
  const name = createHash('sha256').update([purpose, place].join('\0')).digest('hex').slice(0, 16);
  return placeInState(root, 'locks', `${basename(place)}-${name}.lock`);
}
