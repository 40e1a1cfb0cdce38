import { homedir } from 'node:os';
import type { SelfCheckDocument } from '../reporters/documents';
import { version } from '../version';
import { certificates, keys, proxy, sealing } from './network';
import { ownFiles } from './ownFiles';
import { projectFolder, userState } from './places';
import { git, node, python } from './runtimes';

const MARKS = { ok: 'ok     ', absent: 'absent ', broken: 'BROKEN ' } as const;

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
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap(({ name, state, says, fix }) => [
    `${MARKS[state]} ${name.padEnd(width)}  ${says}`,
    ...(fix === undefined ? [] : [`${' '.repeat(MARKS[state].length + width + 3)}${fix}`]),
  ]);
  return `tapedeck ${facts.version} on ${facts.platform}\n${lines.join('\n')}\n`;
}
