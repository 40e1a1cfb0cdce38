import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { ESTABLISHED, readSocketTable } from './socketTable';

/** The two ports of a connection on the loopback address. */
interface LoopbackConnection {
  readonly ownPort: number;
  readonly peerPort: number;
}

/** The programs that are asked about: others can say a secret themselves. */
const JAVA = /^java(?:w|\.exe)?$/;

/**
 * Whether the other end of a connection is a Java program of this user that was started with `secret` in its environment, which
 * only processes of the same user can read. Always false if the system does not tell, which only Linux does.
 */
export async function isJavaWith(secret: string, connection: LoopbackConnection): Promise<boolean> {
  const socket = await socketOf(connection);
  if (socket === undefined) return false;
  for (const pid of await orNothing(readdir('/proc'))) {
    if (!/^\d+$/.test(pid) || !(await isStartedWith(secret, pid))) continue;
    if (await hasOpen(socket, pid)) return true;
  }
  return false;
}

async function isStartedWith(secret: string, pid: string): Promise<boolean> {
  const program = await readlink(`/proc/${pid}/exe`).catch(() => '');
  if (!JAVA.test(basename(program))) return false;
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  return environment.split('\0').some((variable) => variable.includes(secret));
}

async function hasOpen(socket: string, pid: string): Promise<boolean> {
  const open = await orNothing(readdir(`/proc/${pid}/fd`));
  const targets = await Promise.all(open.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  return targets.includes(socket);
}

/** The socket of the other end, as `/proc` calls it. */
async function socketOf({ ownPort, peerPort }: LoopbackConnection): Promise<string | undefined> {
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const rows = readSocketTable(await readFile(table, 'latin1').catch(() => ''));
    const found = rows.find(
      ({ local, remote, state }) => local.port === peerPort && remote.port === ownPort && state === ESTABLISHED,
    );
    if (found?.socket !== undefined) return found.socket;
  }
  return undefined;
}

async function orNothing(names: Promise<string[]>): Promise<readonly string[]> {
  return names.catch(() => []);
}
