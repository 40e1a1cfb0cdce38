import { homedir } from 'node:os';
import { message, t } from '../../core/text/l10n';
import type { SelfCheckDocument } from '../reporters/jsonDocuments';
import { version } from '../version';
import { certificates, keys, proxy, sealing } from './network';
import { ownFiles } from './ownFiles';
import { projectFolder, userState } from './places';
import { git, node, python } from './runtimes';

const STATES = { ok: 'ok', absent: message('absent'), broken: message('BROKEN') } as const;

/**
 * Checks what Tapedeck can use on this machine, and what is missing for what, with the fix.
 * @param folder absolute: whether it can be written to, and what its cases start; absent where none is open
 * @param storedKeys the names of keys that the editor gives to recordings
 */
export async function selfCheck(
  folder: string | undefined,
  signal: AbortSignal,
  storedKeys: readonly string[] = [],
): Promise<Omit<SelfCheckDocument, 'ok'>> {
  const own = ownFiles();
  const isWhole = own.state === 'ok';
  const checks = [
    own,
    node(),
    await git(folder ?? homedir()),
    ...(await python(signal)),
    await userState(),
    ...(folder === undefined ? [] : [await projectFolder(folder)]),
    ...(folder !== undefined && isWhole ? await (await import('./programs')).programs(folder) : []),
    ...proxy(process.env),
    ...(await certificates(process.env)),
    ...(isWhole ? await sealing(signal) : []),
    keys(process.env, storedKeys),
  ];
  return { version, node: process.versions.node, platform: `${process.platform} ${process.arch}`, checks };
}

export function isSound({ checks }: Pick<SelfCheckDocument, 'checks'>): boolean {
  return checks.every(({ state }) => state !== 'broken');
}

/** One line for each check, followed by its fix. */
export function selfCheckText({ checks, ...facts }: Omit<SelfCheckDocument, 'ok'>): string {
  const rows = checks.map((check) => ({ ...check, name: t(check.name), state: t(STATES[check.state]) }));
  const [states, names] = [rows.map(({ state }) => widthOf(state)), rows.map(({ name }) => widthOf(name))];
  const [stateWidth, nameWidth] = [Math.max(...states), Math.max(...names)];
  const lines = rows.flatMap(({ name, state, says, fix }) => [
    `${padded(state, stateWidth)}  ${padded(name, nameWidth)}  ${says}`,
    ...(fix === undefined ? [] : [`${' '.repeat(stateWidth + nameWidth + 4)}${fix}`]),
  ]);
  return `${t('tapedeck {0} on {1}', facts.version, facts.platform)}\n${lines.join('\n')}\n`;
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(width - widthOf(text));
}

/** In columns: an ideograph takes two. */
function widthOf(text: string): number {
  return text.length + (text.match(/\p{Script=Han}/gu)?.length ?? 0);
}
