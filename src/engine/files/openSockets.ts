import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readSocketTable, type SocketEnd } from './socketTable';

/** A socket of this user that is connected. */
export interface OpenSocket {
  /** Its name among the open files of a process. */
  readonly socket: string;
  readonly transport: 'tcp' | 'udp';
  readonly remote: SocketEnd;
}

const TABLES = [
  ['tcp', '/proc/net/tcp'],
  ['tcp', '/proc/net/tcp6'],
  ['udp', '/proc/net/udp'],
  ['udp', '/proc/net/udp6'],
] as const;

/** The sockets of this user that are connected now. Empty where the system does not tell, which only Linux does. */
export function openSockets(): readonly OpenSocket[] {
  const user = process.getuid?.();
  return TABLES.flatMap(([transport, table]) =>
    readSocketTable(textOf(table)).flatMap(({ remote, socket, uid }) =>
      socket === undefined || uid !== user || remote.port === 0 ? [] : [{ socket, transport, remote }],
    ),
  );
}

/** The name of the program that has a socket open, among a process, all that descend from it, and all of its group; undefined if none has. */
export function programWith(socket: string, root: number): string | undefined {
  const processes = listProcesses();
  const parents = new Map(processes.map(({ pid, parent }) => [pid, parent]));
  const descends = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at))
      if (at === root) return true;
    return false;
  };
  const holder = processes.find(({ pid, group }) => (group === root || descends(pid)) && hasOpen(socket, pid));
  return holder?.name;
}

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly name: string;
}

function listProcesses(): readonly ProcessRow[] {
  return namesIn('/proc').flatMap((entry) => {
    // The name may have spaces and parentheses: proc_pid_stat(5).
    const [, name, parent, group] =
      /^\d+ \((.*)\) . (\d+) (\d+)/s.exec(/^\d+$/.test(entry) ? textOf(`/proc/${entry}/stat`) : '') ?? [];
    return name === undefined ? [] : [{ pid: Number(entry), parent: Number(parent), group: Number(group), name }];
  });
}

function hasOpen(socket: string, pid: number): boolean {
  return namesIn(`/proc/${pid}/fd`).some((file) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${file}`) === socket;
    } catch {
      // Closed meanwhile.
      return false;
    }
  });
}

/** Processes end at any time. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
