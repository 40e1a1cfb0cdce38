import { join } from 'node:path';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { TemporaryFolder } from '../files/temporaryFolder';
import { runProcess } from './runProcess';

/** A command that runs where nothing but some servers of this process can be reached. */
interface SealedCommand {
  readonly command: readonly string[];
  remove(): Promise<void>;
}

interface SealOptions {
  readonly command: readonly string[];
  /** What the command reaches, at the same ports. */
  readonly servers: readonly {
    readonly port: number;
    /** Serves connections to a Unix socket as well. */
    listenAt(socket: string): Promise<void>;
  }[];
  /** The program that relays the connections from inside: `preload/relay.cjs`. */
  readonly relay: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

const NAMESPACES = ['unshare', '--user', '--map-root-user', '--net', '--'];
const LOOPBACK_UP = 'ip link set lo up';

/**
 * The command in network and user namespaces of its own, in which the loopback address leads to the servers alone. Rejects with a
 * `UserError` where this system does not permit that.
 */
export async function sealedCommand(options: SealOptions): Promise<SealedCommand> {
  await requirePermission(options);
  const folder = await TemporaryFolder.create();
  const { relay, servers, command } = options;
  const relayed: string[] = [];
  for (const { port, listenAt } of servers) {
    const socket = join(folder.root, `${port}.sock`);
    await listenAt(socket);
    relayed.push(`${port}=${socket}`);
  }
  // Agents behave differently for root.
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const asUser = uid === 0 ? [] : ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'];
  const inside = [...asUser, process.execPath, relay, ...relayed, '--', ...command];
  return {
    command: [...NAMESPACES, 'sh', '-c', `${LOOPBACK_UP} && exec "$@"`, 'sh', ...inside],
    remove: () => folder.remove(),
  };
}

async function requirePermission({ cwd, environment, signal }: SealOptions): Promise<void> {
  if (process.platform !== 'linux')
    throw new UserError(
      () => t('--sealed needs the namespaces of Linux'),
      () => t('Leave it out: the run is recorded all the same.'),
    );
  const command = [...NAMESPACES, 'sh', '-c', LOOPBACK_UP];
  const { code, stderr } = await runProcess({ command, cwd, environment, stdio: 'captured', signal });
  if (code === 0) return;
  throw new UserError(
    () => t('this system does not permit --sealed: {0}', stderr.trim().split('\n').at(-1) ?? ''),
    () =>
      t(
        'It needs unshare (util-linux), ip (iproute2), and user namespaces for everyone. Leave it out: the run is recorded all the same.',
      ),
  );
}
