import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { LineSplitter, lineChannel } from '../../contracts/rpc/ndjson';
import type { Channel } from '../../contracts/rpc/rpc';
import { currentTranslation, t } from '../../core/text/l10n';

/** A running engine. It exits when its stdin closes, so it cannot outlive the window. */
export interface EngineProcess {
  readonly channel: Channel;
  readonly pid: number | undefined;
  /** Resolves when the process has ended, with a description of how. */
  readonly ended: Promise<string>;
  kill(): void;
}

/** Starts `script` with the Node of this extension host. `onLog` receives its stderr, line by line. */
export function startEngine(script: string, onLog: (line: string) => void): EngineProcess {
  const child = spawn(process.execPath, [script, 'rpc'], {
    stdio: 'pipe',
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', TAPEDECK_LANG: currentTranslation().language },
  });
  const logLines = new LineSplitter();
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => logLines.push(chunk).forEach(onLog));
  // A write to a process that has just ended fails here; `ended` reports the end.
  child.stdin.on('error', () => undefined);
  child.stdout.setEncoding('utf8');
  const channel = lineChannel({ input: child.stdout, output: child.stdin });
  return { channel, pid: child.pid, ended: ending(child), kill: () => child.kill() };
}

function ending(child: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(t('it could not be started: {0}', error.message)));
    child.once('exit', (code, signal) =>
      resolve(signal === null ? t('it exited with code {0}', code ?? '') : t('it was terminated by {0}', signal)),
    );
  });
}
