// What a program and all that it started connected to, in the words of `strace -f`.

/** The system calls that reach somebody, or open a port. */
export const TRACED = 'trace=connect,sendto,sendmsg,sendmmsg,listen,getsockname,execve';

/**
 * The calls that reached anybody but a port that the first traced process itself had opened. Names of the kernel's own
 * sockets (netlink), of a pair without a name, and of the name service's cache are no connections.
 */
export function strangers(trace) {
  const lines = trace.split('\n').filter((line) => line !== '');
  const engine = lines[0]?.split(/\s+/)[0];
  const ports = new Set(portsOf(engine, lines));
  return lines.filter((line) => {
    if (/ (?:execve|listen|getsockname)\(/.test(line) || !/sa_family=/.test(line)) return false;
    if (/sa_family=AF_NETLINK/.test(line)) return false;
    if (/sa_family=AF_UNIX, sun_path="\/(?:var\/)?run\/nscd\/socket"/.test(line)) return false;
    const [, port, address] = /sin_port=htons\((\d+)\), sin_addr=inet_addr\("([\d.]+)"\)/.exec(line) ?? [];
    return !(address === '127.0.0.1' && ports.has(port));
  });
}

/** The programs that were started. */
export function started(trace) {
  return trace.split('\n').flatMap((line) => {
    const [, words] = / execve\("[^"]*", \[(.*?)\]/.exec(line) ?? [];
    return words === undefined || !/= 0$/.test(line) ? [] : [words.replace(/"/g, '').split(', ')];
  });
}

/** The ports on which a process listens: it asks for the name of each such socket right after. */
function portsOf(pid, lines) {
  const own = lines.filter((line) => line.startsWith(`${pid} `));
  const sockets = new Set(own.flatMap((line) => / listen\((\d+), /.exec(line)?.[1] ?? []));
  return own.flatMap((line) => {
    const [, socket, port] = / getsockname\((\d+), .*sin_port=htons\((\d+)\)/.exec(line) ?? [];
    return sockets.has(socket) ? [port] : [];
  });
}
