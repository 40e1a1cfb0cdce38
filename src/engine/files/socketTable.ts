/** A line of `/proc/net/tcp` and its like: proc_net(5). */
interface SocketRow {
  readonly local: SocketEnd;
  readonly remote: SocketEnd;
  /** Two hex digits. */
  readonly state: string;
  readonly uid: number;
  /** Its name among the open files of a process; undefined for a connection that no process has any more. */
  readonly socket: string | undefined;
}

export interface SocketEnd {
  readonly ip: string;
  readonly port: number;
}

export const ESTABLISHED = '01';

export function readSocketTable(text: string): readonly SocketRow[] {
  return text
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, local = '', remote = '', state = '', , , , uid = '', , inode] = line.trim().split(/\s+/);
      if (inode === undefined) return [];
      const socket = inode === '0' ? undefined : `socket:[${inode}]`;
      return [{ local: endOf(local), remote: endOf(remote), state, uid: Number(uid), socket }];
    });
}

function endOf(text: string): SocketEnd {
  const [ip = '', port = ''] = text.split(':');
  return { ip: ipOf(ip), port: Number.parseInt(port, 16) };
}

/** The kernel writes each 32 bits of an address as a number of this machine, which is little-endian where Node runs. */
function ipOf(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => [...Buffer.from(word, 'hex')].reverse());
  if (bytes.length <= 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, at) => ((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0));
  const isIpv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isIpv4) return bytes.slice(12).join('.');
  // In its shortest form.
  return new URL(`http://[${groups.map((group) => group.toString(16)).join(':')}]`).hostname.slice(1, -1);
}
