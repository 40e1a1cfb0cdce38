import { join } from 'node:path';
import type { HookState, HooksApi } from '../../contracts/engine/hooks';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { gateLines, hasGate, managedGate, newHook, withGate, withoutGate } from '../../core/project/preCommitHook';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { fileStatus, pathExists } from '../files/fileStatus';
import { writeLauncher } from '../files/launcher';
import { isInside, placeOfUser } from '../files/projectPaths';
import { readTextIfThere } from '../files/readFile';
import { removeOutput, writeProgram } from '../files/writeFile';
import { Repository } from '../git/repository';

const LEFTHOOK = ['lefthook', '.lefthook'].flatMap((name) =>
  ['yml', 'yaml', 'toml', 'json'].map((ending) => `${name}.${ending}`),
);
const PRE_COMMIT = ['.pre-commit-config.yaml', '.pre-commit-config.yml'];

/** The calls with which the editor installs and removes the gate. */
export const hooksApi: HooksApi = {
  hook: async ({ root }) => (await findHook(root)).state,
  changeHook: async ({ root, change }) => {
    const found = await findHook(root);
    await (change === 'install' ? install(found) : remove(found));
    return (await findHook(root)).state;
  },
};

interface FoundHook {
  readonly state: HookState;
  readonly text: string | undefined;
  /** It is in the repository itself, and so may be written and removed. */
  readonly isOwn: boolean;
  /** The project's folder from the top of the repository. */
  readonly project: string;
}

async function findHook(root: string): Promise<FoundHook> {
  const repository = await Repository.require(root);
  const { top } = repository;
  const project = (await repository.pathOf(root, '.')).replace(/^\.$/, '');
  for (const [manager, names] of [
    ['lefthook', LEFTHOOK],
    ['pre-commit', PRE_COMMIT],
  ] as const)
    for (const name of names) {
      const text = await readTextIfThere(join(top, name), FILE_LIMITS.config);
      if (text === undefined) continue;
      const state = text.includes('tapedeck check') ? 'installed' : 'other';
      const lines = managedGate(manager, project);
      return { state: { manager, file: join(top, name), state, lines }, text, isOwn: false, project };
    }
  const husky = join(top, '.husky');
  const isHusky = pathExists(husky);
  const folder = isHusky ? { path: husky, isShared: false } : await repository.hooksFolder();
  const file = join(folder.path, 'pre-commit');
  // A link may lead to anything.
  const text = (await fileStatus(file))?.isFile ? await readTextIfThere(file, FILE_LIMITS.config) : undefined;
  const manager = isHusky ? 'husky' : 'git';
  const lines = `${gateLines(project).join('\n')}\n`;
  const isOwn = !folder.isShared && (await isHookIn(isHusky ? [husky] : repository.ownFolders, file));
  return { state: { manager, file, state: stateOf(text, isOwn, project), lines }, text, isOwn, project };
}

/** Whether a hook is in one of these folders, without links. The hook itself may be none, which would be written through. */
async function isHookIn(folders: readonly string[], file: string): Promise<boolean> {
  if ((await fileStatus(file, { followLinks: false }))?.isLink) return false;
  const place = await placeOfUser(file);
  return folders.some((folder) => isInside(folder, place));
}

function stateOf(text: string | undefined, isOwn: boolean, project: string): HookState['state'] {
  if (text !== undefined && hasGate(text)) return 'installed';
  if (!isOwn) return 'script';
  if (text === undefined) return 'absent';
  return withGate(text, project) === undefined ? 'script' : 'other';
}

async function install({ state: { file, state }, text, isOwn, project }: FoundHook): Promise<void> {
  await writeLauncher();
  if (state === 'installed') return;
  const changed = text === undefined ? newHook(project) : withGate(text, project);
  if (changed === undefined || !isOwn)
    throw new UserError(t('{0} is not changed by Tapedeck', file), t('Add the lines by hand.'));
  await writeProgram(file, changed);
}

async function remove({ state: { file, state }, text, isOwn }: FoundHook): Promise<void> {
  if (state !== 'installed' || text === undefined) return;
  if (!isOwn) throw new UserError(t('{0} is not changed by Tapedeck', file), t('Remove its Tapedeck lines by hand.'));
  const left = withoutGate(text);
  if (left === undefined) await removeOutput(file);
  else await writeProgram(file, left);
}
