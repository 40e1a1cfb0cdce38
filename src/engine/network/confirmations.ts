import { type KeyTarget, keyTarget } from '../../contracts/engine/recordingTargets';
import { acceptedMembers } from '../../core/schema/accepts';
import { parseDocument } from '../../core/schema/parseDocument';
import { list, object, shape } from '../../core/schema/schema';
import { realPath } from '../files/fileStatus';
import { readUserState, writeUserState } from '../files/userState';

const FILE = 'confirmed.json';

/** Targets by the real path of the project. */
type Confirmed = Readonly<Record<string, readonly KeyTarget[]>>;

/** What the user has confirmed for the project at `root`. */
export async function confirmedTargets(root: string): Promise<readonly KeyTarget[]> {
  const all = readConfirmed(await readUserState(FILE));
  const project = await projectKey(root);
  return Object.hasOwn(all, project) ? (all[project] ?? []) : [];
}

/** The last change of the file: cases of several projects are run at once, and each change keeps those before it. */
let lastChange: Promise<unknown> = Promise.resolve();

/** Remembers that the user has confirmed these for the project at `root`. */
export async function rememberTargets(root: string, targets: readonly KeyTarget[]): Promise<void> {
  if (targets.length === 0) return;
  const change = lastChange.then(() => addTargets(root, targets));
  lastChange = change.catch(() => undefined);
  await change;
}

async function addTargets(root: string, targets: readonly KeyTarget[]): Promise<void> {
  const all = readConfirmed(await readUserState(FILE));
  const project = await projectKey(root);
  const old = Object.hasOwn(all, project) ? (all[project] ?? []) : [];
  const added = targets.filter((target) => !old.some((one) => isSameTarget(one, target)));
  if (added.length === 0) return;
  const confirmed: Confirmed = { ...all, [project]: [...old, ...added.map(plainTarget)] };
  await writeUserState(FILE, `${JSON.stringify({ version: 1, confirmed }, null, 2)}\n`);
}

export function isSameTarget(left: KeyTarget, right: KeyTarget): boolean {
  return left.host === right.host && left.variable === right.variable;
}

function plainTarget({ host, variable }: KeyTarget): KeyTarget {
  return variable === undefined ? { host } : { host, variable };
}

async function projectKey(root: string): Promise<string> {
  return (await realPath(root)) ?? root;
}

const CONFIRMATIONS = shape({ confirmed: object() });

/** What the file says; nothing where it cannot be read, so that the user is asked again. */
function readConfirmed(source: string | undefined): Confirmed {
  return acceptedMembers(list(keyTarget), parseDocument(CONFIRMATIONS, source ?? '')?.confirmed ?? {});
}
