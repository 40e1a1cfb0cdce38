import type { KeyTarget } from '../../contracts/engine/recordingTargets';
import { rememberTargets } from '../network/confirmations';
import { parseHost } from '../network/hosts';
import { KeyRing } from '../network/keyRing';
import type { Terminal } from '../terminal/terminal';
import { type Arguments, texts, UsageError } from './command';

/** The options of all commands that may send requests. */
export const NETWORK_OPTIONS = {
  allowKey: texts('VARIABLE=HOST', 'Let the value of this variable be sent to this host; remembered for this project'),
  allowHost: texts('HOST', 'Let replays call an agent (`url`) on this host; remembered for this project'),
};

/** The user's keys for the project at `root`. Remembers what the command line allows. */
export async function keyRing(
  args: Arguments<typeof NETWORK_OPTIONS>,
  { env }: Terminal,
  root: string,
): Promise<KeyRing> {
  await rememberTargets(root, [...args.options.allowKey.map(keyTarget), ...args.options.allowHost.map(hostTarget)]);
  return KeyRing.of(root, (name) => env[name]);
}

function keyTarget(text: string): KeyTarget {
  const [, variable, named = ''] = /^([A-Za-z_]\w*)=(.+)$/s.exec(text) ?? [];
  const host = parseHost(named);
  if (variable !== undefined && host !== undefined) return { host, variable };
  throw new UsageError(
    `--allow-key needs a variable and a host, not \`${text}\``,
    'For example: --allow-key OPENAI_API_KEY=gateway.example',
  );
}

function hostTarget(text: string): KeyTarget {
  const host = parseHost(text);
  if (host !== undefined) return { host };
  throw new UsageError(`--allow-host needs a host, not \`${text}\``, 'For example: --allow-host agent.example');
}
