import { basename, extname, join } from 'node:path';
import { EXIT_CODES } from '../../core/cases/runOutcome';
import { UserError } from '../errors/userError';
import { type ProcessExit, runProcess } from '../process/runProcess';
import type { OpenProxy } from '../proxy/openProxy';
import type { Terminal } from '../terminal/terminal';
import { quantity } from '../terminal/visibleText';
import { type Arguments, type CliCommand, UsageError } from './command';
import { PROXY_OPTIONS, type ProxyPlan, planProxy } from './proxyOptions';

export const execCommand: CliCommand = {
  name: 'exec',
  usage: '[OPTIONS] -- COMMAND…',
  about: 'Run any agent, in any language, with what it says to models going through a tape',
  options: {
    ...PROXY_OPTIONS,
    'fail-on-unused': { about: 'Fail when the tape has recordings that the agent did not ask for' },
  },
  details: `The agent finds the proxy by the variables that the usual SDKs read: OPENAI_BASE_URL, ANTHROPIC_BASE_URL,
GOOGLE_GEMINI_BASE_URL, OLLAMA_HOST and their kin. What it asks is sent on to where these variables pointed before, to
--upstream, to [proxy.upstream] of tapedeck.toml, or to the public API. A replay asks nobody and needs no keys.
Without --tape it is tapes/NAME.tape.jsonl, after the script that is run. TAPEDECK_MODE chooses where no option does.
A recording replaces the tape when the agent ends with code 0.

Exit codes: 0 all good; 1 the agent failed; 2 the command line or the tape could not be understood; 3 the agent could
not be started, or an upstream not be reached; 4 a request has no recording; 5 recordings are unused, where that was
asked to fail; 130 cancelled.`,
  examples: ['tapedeck exec --record -- python agent.py', 'tapedeck exec --tape tapes/refund.yaml -- node agent.mjs'],
  run,
};

async function run(args: Arguments, terminal: Terminal): Promise<number> {
  const command = args.positionals;
  if (command.length === 0) throw new UsageError('name the command to run, after --');
  const plan = await planProxy(args, terminal, args.text('tape') ?? defaultTape(command));
  if (plan.mode === 'record' || plan.mode === 'auto')
    await (await import('../recording/saveRecording')).requireWritable(plan.root, plan.tapePath, plan.format);
  const proxy = await plan.open();
  try {
    const end = await runAgent(command, proxy, terminal);
    if (end === undefined) return EXIT_CODES.unreachable;
    if (terminal.signal.aborted) return EXIT_CODES.cancelled;
    await proxy.settled();
    return await conclude(args, plan, proxy, end, terminal);
  } finally {
    await proxy.close();
  }
}

/** Undefined when the agent could not be started. */
async function runAgent(
  command: readonly string[],
  proxy: OpenProxy,
  terminal: Terminal,
): Promise<ProcessExit | undefined> {
  try {
    return await runProcess({
      command,
      cwd: terminal.cwd,
      environment: { ...terminal.env, ...proxy.variables },
      stdio: 'inherit',
      signal: terminal.signal,
    });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    terminal.note(`tapedeck: ${error.message}${error.fix === undefined ? '' : `\n  ${error.fix}`}`);
    return undefined;
  }
}

async function conclude(
  args: Arguments,
  plan: ProxyPlan,
  proxy: OpenProxy,
  end: ProcessExit,
  { note }: Terminal,
): Promise<number> {
  const { tally } = proxy;
  for (const { number, verdict, explanation } of tally.reports)
    if (explanation !== undefined) note(`tapedeck: request ${number + 1}: ${verdict}\n${explanation}`);
  const failed = end.code !== 0;
  if (failed) note(`tapedeck: the agent ended with ${end.code === null ? end.endedBy : `code ${end.code}`}`);
  note(`tapedeck: ${plan.mode}: ${tally.text()}`);
  if (proxy.recorded.length > 0) await keep(plan, proxy, failed, note);
  const unused = plan.mode === 'replay' && !failed && tally.misses === 0 ? proxy.unused() : [];
  if (unused.length > 0)
    note(
      `tapedeck: ${unused.length} of ${quantity(proxy.onTape, 'recording')} not used: ${unused
        .slice(0, 10)
        .map((index) => index + 1)
        .join(', ')}${unused.length > 10 ? ', …' : ''}`,
    );
  if (tally.misses > 0) return EXIT_CODES.drifted;
  if (tally.count('unreachable') > 0) return EXIT_CODES.unreachable;
  if (failed) return EXIT_CODES.failed;
  return unused.length > 0 && args.has('fail-on-unused') ? EXIT_CODES.unused : EXIT_CODES.ok;
}

async function keep(plan: ProxyPlan, proxy: OpenProxy, failed: boolean, note: Terminal['note']): Promise<void> {
  const { root, tapePath: path, format, mode } = plan;
  if (failed) {
    note(`tapedeck: the tape was left as it was: ${quantity(proxy.recorded.length, 'recording')} of a failed run`);
    return;
  }
  const { saveRecording } = await import('../recording/saveRecording');
  const saved = await saveRecording({ root, path, format, recorded: proxy.recorded, append: mode === 'auto' });
  note(`tapedeck: ${path} has ${quantity(saved.interactions, 'interaction')} now`);
}

/** After the script that is run, or else the program. */
function defaultTape(command: readonly string[]): string {
  const script = command.find((word, at) => at > 0 && !word.startsWith('-') && extname(word) !== '');
  const name = basename(script ?? command[0] ?? 'agent');
  return join('tapes', `${name.replace(/\.[^.]+$/, '')}.tape.jsonl`);
}
