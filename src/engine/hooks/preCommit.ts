import { join } from 'node:path';
import type { HookState, HooksApi } from '../../contracts/engine/hooks';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { gateLines, hasGate, managedGate, newHook, withGate, withoutGate } from '../../core/project/preCommitHook';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { pathExists } from '../files/fileStatus';
import { writeLauncher } from '../files/launcher';
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
      return { state: { manager, file: join(top, name), state, lines: managedGate(manager, project) }, text, project };
    }
  const isHusky = await pathExists(join(top, '.husky'));
  const folder = isHusky ? { path: join(top, '.husky'), isShared: false } : await repository.hooksFolder();
  const file = join(folder.path, 'pre-commit');
  const text = await readTextIfThere(file, FILE_LIMITS.config);
  const manager = isHusky ? 'husky' : 'git';
  const lines = `${gateLines(project).join('\n')}\n`;
  return { state: { manager, file, state: stateOf(text, folder.isShared, project), lines }, text, project };
}

function stateOf(text: string | undefined, isShared: boolean, project: string): HookState['state'] {
  if (text !== undefined && hasGate(text)) return 'installed';
  if (isShared) return 'script';
  if (text === undefined) return 'absent';
  return withGate(text, project) === undefined ? 'script' : 'other';
}

async function install({ state: { manager, file, state }, text, project }: FoundHook): Promise<void> {
  await writeLauncher();
  if (state === 'installed') return;
  const changed = text === undefined ? newHook(project) : withGate(text, project);
  if (changed === undefined || state === 'script' || manager === 'lefthook' || manager === 'pre-commit')
    throw new UserError(t('{0} is not changed by Tapedeck', file), t('Add the lines by hand.'));
  await writeProgram(file, changed);
}

async function remove({ state: { manager, file, state }, text }: FoundHook): Promise<void> {
  if (state !== 'installed' || text === undefined) return;
  if (manager === 'lefthook' || manager === 'pre-commit')
    throw new UserError(t('{0} is not changed by Tapedeck', file), t('Remove its Tapedeck lines by hand.'));
  const left = withoutGate(text);
  if (left === undefined) await removeOutput(file);
  else await writeProgram(file, left);
}
