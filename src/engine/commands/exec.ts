import { basename, extname, join } from 'node:path';
import { EXIT_CODES } from '../../core/cases/runOutcome';
import { UserError } from '../errors/userError';
import type { McpServers } from '../mcpTape/mcpServers';
import { type ProcessExit, runProcess } from '../process/runProcess';
import type { BesideRun } from '../proxy/addressedMcp';
import type { OpenProxy } from '../proxy/openProxy';
import type { ProxyLane } from '../proxy/session/laneSessions';
import { abandonedAdvice, reachedText, silenceAdvice } from '../proxy/silentAgent';
import type { Journal } from '../recording/journal';
import type { LaneRecordings } from '../sessions/laneRecordings';
import type { ProxyRecording } from '../sessions/proxyRecording';
import type { Terminal } from '../terminal/terminal';
import { quantity } from '../terminal/visibleText';
import { type Arguments, command, flag, text, UsageError } from './command';
import {
  beginRecordings,
  noteTelemetry,
  PROXY_OPTIONS,
  type ProxyPlan,
  planProxy,
  recordingOptions,
} from './proxyOptions';

const OPTIONS = {
  ...PROXY_OPTIONS,
  allowNone: flag('Accept an agent that makes no requests'),
  mcpConfig: text('FILE', "A client's configuration of MCP servers, which are recorded or replayed as well"),
  sealed: flag('Let the agent reach nothing but the tape (Linux)'),
  repeat: flag('When all recordings of a request have been served, serve the last one again'),
  failOnUnused: flag('Fail when the agent did not use all recordings'),
};
type Given = Arguments<typeof OPTIONS>;

export const execCommand = command({
  usage: '[OPTIONS] -- COMMAND…',
  about: 'Run any agent, in any language, and record or replay its model calls',
  options: OPTIONS,
  details: `The agent reaches the proxy through the variables that SDKs read: OPENAI_BASE_URL, ANTHROPIC_BASE_URL,
GOOGLE_GEMINI_BASE_URL, OLLAMA_HOST and others. A recording forwards its requests to the previous values of these
variables, to --upstream, to [proxy.upstream] in tapedeck.toml, or to the public API. A replay sends no requests and needs
no keys. Telemetry of SDKs is passed on and not recorded, unless [proxy] record names its host. Without --tape, the tape is
tapes/NAME.tape.jsonl, named after the script. Without a mode option, TAPEDECK_MODE sets the mode. A recording replaces the
tape when the agent exits with code 0; otherwise it is kept: see tapedeck recover.

With {lane} in the name of the tape, as for a test runner, each lane has a tape of its own: see tapedeck serve --help. A runner that
ends a lane with DELETE $TAPEDECK_PROXY/~LANE?outcome=passed has its tape saved at once, whatever becomes of other tests; with failed
or skipped, its recording is kept for tapedeck recover. Lanes that were not ended are saved if the runner exits with code 0.

With --mcp-config, the agent gets a copy of the configuration (.mcp.json of Claude Code, mcp.json of Cursor or VS Code) in which
every server goes through the tape. The path of the copy is in TAPEDECK_MCP_CONFIG, and replaces FILE and {mcp-config} in COMMAND.
A replay neither starts the servers nor connects to them.

With --sealed, the agent runs in a network namespace from which only the tape can be reached: every other connection fails.

Exit codes: 0 all good; 1 the agent failed; 2 the command line or the tape is invalid; 3 the agent cannot be started, or
an upstream cannot be reached; 4 a request has no recording; 5 unused recordings, with --fail-on-unused; 130 cancelled.`,
  examples: [
    'tapedeck exec --record -- python agent.py',
    'tapedeck exec --tape tapes/refund.yaml -- node agent.mjs',
    'tapedeck exec --record --mcp-config .mcp.json -- claude -p "Tidy up" --mcp-config .mcp.json',
  ],
  run,
});

async function run(args: Given, terminal: Terminal): Promise<number> {
  if (args.positionals.length === 0) throw new UsageError('name the command to run, after --');
  const plan = await planProxy(args, terminal, args.options.tape ?? defaultTape(args.positionals));
  const recording = await beginRecordings(plan, terminal);
  if (recording !== undefined && !('journal' in recording) && args.options.mcpConfig !== undefined)
    throw new UsageError('--mcp-config cannot be combined with {lane}: what is said to MCP servers names no lane');
  try {
    let command = args.positionals;
    const proxy = await plan.open({
      ...recordingOptions(recording),
      forward: true,
      repeat: args.options.repeat,
      openMcp: async (run) => {
        const journal = recording && 'journal' in recording ? recording.journal : undefined;
        const servers = await openServers(args, plan, journal, { terminal, run });
        command = servers.command(command);
        return servers;
      },
    });
    try {
      const agent = { command, proxy, isSealed: args.options.sealed };
      const end = await runAgent(agent, terminal);
      if (end === undefined) return EXIT_CODES.unreachable;
      if (terminal.signal.aborted) {
        recording?.keep(proxy.recorded.length);
        return EXIT_CODES.cancelled;
      }
      await proxy.drain();
      const code = await conclude(args, plan, { proxy, recording, end }, terminal);
      await tellOfServers(args, plan, proxy, terminal);
      return code;
    } finally {
      await proxy.close();
    }
  } finally {
    await recording?.end();
  }
}

/** The MCP servers of the agent, led through the tape. */
async function openServers(
  args: Given,
  plan: ProxyPlan,
  journal: Journal | undefined,
  { terminal, run: beside }: { readonly terminal: Terminal; readonly run: BesideRun },
): Promise<McpServers> {
  const { openMcpServers } = await import('../mcpTape/mcpServers');
  const options = {
    file: args.options.mcpConfig,
    plan,
    cwd: terminal.cwd,
    environment: terminal.env,
    journal,
    onProblem: (message: string) => terminal.note(`tapedeck: ${message}`),
  };
  return openMcpServers(options, beside);
}

interface AgentCommand {
  readonly command: readonly string[];
  readonly proxy: OpenProxy;
  readonly isSealed: boolean;
}

/** Runs the agent to its end. Resolves with undefined, after reporting why, when it could not be started. */
async function runAgent(agent: AgentCommand, terminal: Terminal): Promise<ProcessExit | undefined> {
  const { cwd, signal } = terminal;
  const environment = { ...terminal.env, ...agent.proxy.variables };
  const run = (command: readonly string[]) =>
    runProcess({ command, cwd, environment, stdio: 'inherit', signal, isWatched: true });
  try {
    return agent.isSealed ? await runSealed(agent, environment, { terminal, run }) : await run(agent.command);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    terminal.note(`tapedeck: ${error.message}${error.fix === undefined ? '' : `\n  ${error.fix}`}`);
    return undefined;
  }
}

interface SealedRun {
  readonly terminal: Terminal;
  run(command: readonly string[]): Promise<ProcessExit>;
}

async function runSealed(
  { command, proxy }: AgentCommand,
  environment: Terminal['env'],
  { terminal: { cwd, signal }, run }: SealedRun,
): Promise<ProcessExit> {
  const [{ sealedCommand }, { preloadFile }] = await Promise.all([
    import('../process/sealedCommand'),
    import('../network/preloadFile'),
  ]);
  const relay = preloadFile('relay.cjs');
  const sealed = await sealedCommand({ command, servers: proxy.servers, relay, cwd, environment, signal });
  try {
    return await run(sealed.command);
  } finally {
    await sealed.remove();
  }
}

interface EndedRun {
  readonly proxy: OpenProxy;
  readonly recording: ProxyRecording | LaneRecordings | undefined;
  readonly end: ProcessExit;
}

async function conclude(
  args: Given,
  plan: ProxyPlan,
  { proxy, recording, end }: EndedRun,
  { note }: Terminal,
): Promise<number> {
  const { tally } = proxy;
  for (const { number, verdict, explanation } of tally.reports)
    if (explanation !== undefined) note(`tapedeck: request ${number + 1}: ${verdict}\n${explanation}`);
  const failed = end.code !== 0;
  if (failed)
    note(
      `tapedeck: the agent ${end.code === null ? `was terminated by ${end.endedBy}` : `exited with code ${end.code}`}`,
    );
  note(`tapedeck: ${plan.mode}: ${tally.text()}`);
  noteTelemetry(plan, tally, note);
  const reached = reachedText(plan.mode, end.reached);
  if (reached !== undefined) note(`tapedeck: ${reached}`);
  const abandoned = abandonedAdvice(proxy.abandoned);
  if (abandoned !== undefined && (failed || tally.reports.length === 0)) note(`tapedeck: ${abandoned}`);
  if (failed) await recording?.keepFailed();
  else await recording?.save(proxy);
  const isWhole = plan.mode === 'replay' && !failed && tally.misses === 0;
  let hasUnused = false;
  for (const used of isWhole ? [proxy, ...proxy.lanes] : []) hasUnused = (await noteUnused(used, note)) || hasUnused;
  if (tally.misses > 0) return EXIT_CODES.drifted;
  if (tally.count('unreachable') > 0) return EXIT_CODES.unreachable;
  if (failed) return EXIT_CODES.failed;
  if (tally.reports.length === 0 && !args.options.allowNone) {
    note(
      `tapedeck: the agent sent no requests through Tapedeck.\n  ${silenceAdvice(args.positionals)}\n  If it needs to make none, pass --allow-none.`,
    );
    return EXIT_CODES.failed;
  }
  return hasUnused && args.options.failOnUnused ? EXIT_CODES.unused : EXIT_CODES.ok;
}

/** Tells of MCP servers of the agent that are not on the tape. */
async function tellOfServers(
  args: Given,
  { mode }: ProxyPlan,
  proxy: OpenProxy,
  { cwd, note }: Terminal,
): Promise<void> {
  const started = await proxy.startedServers();
  if (mode === 'replay' && started.length === 0) return;
  const { untapedAdvice } = await import('../mcpTape/untapedServers');
  const agent = { command: args.positionals, cwd, from: cwd, taped: args.options.mcpConfig };
  const advice = await untapedAdvice({ ...agent, mode, started, namedIn: 'options' });
  if (advice !== undefined) note(`tapedeck: ${advice}`);
}

/** Whether a tape has recordings that were not used, of which it then tells. */
async function noteUnused(used: OpenProxy | ProxyLane, note: Terminal['note']): Promise<boolean> {
  const numbers = (await used.unused()).map((index) => index + 1);
  if (numbers.length === 0) return false;
  const of = 'tapePath' in used ? `${used.tapePath}: ` : '';
  const few = `${numbers.slice(0, 10).join(', ')}${numbers.length > 10 ? ', …' : ''}`;
  note(`tapedeck: ${of}${numbers.length} of ${quantity(used.onTape, 'recording')} unused: ${few}`);
  return true;
}

/** The default tape, named after the script that is run, or else the program. */
function defaultTape(command: readonly string[]): string {
  const script = command.find((word, at) => at > 0 && !word.startsWith('-') && extname(word) !== '');
  const name = basename(script ?? command[0] ?? 'agent');
  return join('tapes', `${name.replace(/\.[^.]+$/, '')}.tape.jsonl`);
}
