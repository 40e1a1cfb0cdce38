/** What an extension host did, by a trace of `strace -f -e trace=execve,connect,sendto,fork,vfork,clone,clone3`. */
export interface HostTrace {
  /** The command lines of the processes below it. */
  readonly processes: readonly string[];
  /** The addresses of the internet family that it, or a process below it, connected or sent to. */
  readonly connections: readonly string[];
}

/** Reads the lines of a trace, which begin with the id of a thread. */
export function readTrace(text: string): HostTrace {
  const lines = joinResumed(text.split('\n'));
  const parents = parentsIn(lines);
  const hosts = new Set(
    lines.flatMap(({ id, call }) => (call.startsWith('execve(') && call.includes('--type=extensionHost') ? [id] : [])),
  );
  const isBelow = (id: string): boolean => {
    for (let at = parents.get(id); at !== undefined; at = parents.get(at)) if (hosts.has(at)) return true;
    return false;
  };
  const below = lines.filter(({ id }) => hosts.has(id) || isBelow(id));
  return {
    processes: below.flatMap(({ id, call }) => (hosts.has(id) ? [] : (commandOf(call) ?? []))),
    connections: below.flatMap(({ call }) => addressOf(call) ?? []),
  };
}

interface TraceLine {
  readonly id: string;
  readonly call: string;
}

/** A call that others interrupted is on two lines: `… <unfinished ...>` and `<... clone resumed>…`. */
function joinResumed(lines: readonly string[]): readonly TraceLine[] {
  const begun = new Map<string, string>();
  return lines.flatMap((line) => {
    const [, id = '', call = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    if (call.endsWith('<unfinished ...>')) {
      begun.set(id, call.slice(0, -'<unfinished ...>'.length));
      return [];
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(call);
    return [{ id, call: resumed === null ? call : `${begun.get(id) ?? ''}${resumed[1]}` }];
  });
}

function parentsIn(lines: readonly TraceLine[]): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  for (const { id, call } of lines) {
    const child = /^(?:clone3?|v?fork)\(.*\)\s*= (\d+)/.exec(call)?.[1];
    if (child !== undefined) parents.set(child, id);
  }
  return parents;
}

/** The program with its arguments; undefined for other calls, and where the program was not there. */
function commandOf(call: string): string | undefined {
  const [, program, args = ''] = /^execve\("([^"]*)", \[(.*?)\](?:\.\.\.)?, .*= 0$/.exec(call) ?? [];
  if (program === undefined) return undefined;
  const [, ...rest] = [...args.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, argument]) => argument);
  return [program, ...rest].join(' ');
}

function addressOf(call: string): string | undefined {
  return /^(?:connect|sendto)\(.*sa_family=AF_INET6?,(.*?)\}/.exec(call)?.[1]?.trim();
}
