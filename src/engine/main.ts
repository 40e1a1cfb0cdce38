import { EXIT_CODES } from '../core/cases/runOutcome';
import { escapeControls } from '../core/text/escapeInvisible';
import { runCli } from './commands/cli';
import { createTerminal } from './terminal/terminal';

/** Commands that leave nothing behind: a signal ends them at once, even while they read a large file. */
const ONLY_READING: ReadonlySet<string> = new Set(['inspect', 'verify', 'diff', 'check', 'help']);

main().catch(async (error: unknown) => {
  console.error(escapeControls(`tapedeck: this is a bug in Tapedeck\n${await describeBug(error)}`));
  process.exit(EXIT_CODES.failed);
});

/** The stack of a bug, whose message may quote what was recorded. */
async function describeBug(error: unknown): Promise<string> {
  const { Recorder } = await import('./recording/recorder');
  const recorder = new Recorder({ environments: [process.env], keys: {}, patterns: [] });
  return recorder.text(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

async function main(): Promise<void> {
  // How an editor starts this process, and nothing for the programs that it starts.
  delete process.env.ELECTRON_RUN_AS_NODE;
  // The editor's engine uses the language of the editor; the command line is English, because programs read it too.
  const language = process.env.TAPEDECK_LANG;
  delete process.env.TAPEDECK_LANG;
  if (language && process.argv[2] === 'rpc') await (await import('./language')).speak(language);
  const abort = new AbortController();
  if (!ONLY_READING.has(process.argv[2] ?? '')) stopOnSignals(abort);
  surviveClosedPipes();
  const code = await runCli(process.argv.slice(2), createTerminal(abort.signal));
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  process.exit(code);
}

/** The first signal asks what runs to stop; the second does not ask. */
function stopOnSignals(abort: AbortController): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (abort.signal.aborted) process.exit(EXIT_CODES.cancelled);
      abort.abort(new Error('cancelled'));
    });
  }
}

/** `tapedeck run | head` closes the pipe early: this is not an error, and the exit code still counts. */
function surviveClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

async function flushed(stream: NodeJS.WriteStream): Promise<void> {
  await new Promise<void>((resolve) => stream.write('', () => resolve()));
}
