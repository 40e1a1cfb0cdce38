import { basename, extname } from 'node:path';
import { EXIT_CODES } from '../../core/cases/runOutcome';
import { LINK_VARIABLE } from '../mcpTape/clientConfig';
import { McpRun } from '../mcpTape/mcpRun';
import { pipeLine, servePipe } from '../mcpTape/pipe';
import { requirePlace } from '../mcpTape/requirePlace';
import { StdioEnds } from '../mcpTape/stdioEnds';
import { StdioTransport } from '../mcpTape/stdioTransport';
import { openPipe } from '../network/pipe';
import { Tally } from '../proxy/session/report';
import { projectRecorder } from '../recording/openRecorder';
import type { ProxyRecording } from '../sessions/proxyRecording';
import type { Terminal } from '../terminal/terminal';
import { type Arguments, command, noneOf, text, UsageError } from './command';
import { beginRecording, PROXY_OPTIONS, type ProxyPlan, planProxy } from './proxyOptions';

const { tape, replay, record, auto, once, passthrough, mask, onDrift } = PROXY_OPTIONS;

const OPTIONS = {
  ...{ tape, replay, record, auto, once, passthrough, mask, onDrift },
  server: text('NAME', 'The name of the server on the tape (default: named after the command)'),
};
type Given = Arguments<typeof OPTIONS>;

export const mcpTapeCommand = command({
  usage: '--tape FILE [OPTIONS] -- COMMAND…',
  about: 'Stand in for an MCP server on stdin and stdout: record what it says, or replay it without starting it',
  options: OPTIONS,
  details: `Use it in place of a server's command in a client's configuration. Requests match their recordings by method and
params, without ids and progress tokens, in recorded order. Notifications, progress, and the server's own requests (sampling,
elicitation, roots) are replayed in order. A recording replaces this server's part of the tape, and keeps everything else.
To record all servers of an agent together with its model: tapedeck exec --mcp-config.

Exit codes: 0 all good; 1 the server cannot be started; 2 the command line or the tape is invalid; 4 a message has no recording.`,
  examples: [
    'tapedeck mcp-tape --tape tapes/files.tape.jsonl --record -- npx -y @modelcontextprotocol/server-filesystem .',
  ],
  run,
});

async function run(args: Given, terminal: Terminal): Promise<number> {
  const command = args.positionals;
  if (command.length === 0) throw new UsageError('name the command of the server, after --');
  const { [LINK_VARIABLE]: link, ...environment } = terminal.env;
  if (link !== undefined) return runLinked(link, command, environment, terminal);
  const file = args.options.tape;
  if (file === undefined) throw new UsageError('name the tape: --tape FILE');
  const plan = await planProxy({ ...args, options: { ...noneOf(PROXY_OPTIONS), ...args.options } }, terminal, file);
  await requirePlace(plan);
  const recording = await beginRecording(plan, terminal);
  try {
    return await runAlone(args, plan, recording, terminal);
  } finally {
    await recording?.end();
  }
}

/** For `tapedeck exec`, which has the tape. */
async function runLinked(
  link: string,
  command: readonly string[],
  environment: NodeJS.ProcessEnv,
  { cwd, signal }: Terminal,
): Promise<number> {
  const socket = await openPipe(link);
  const ended = createSignal<undefined>();
  const ends = new StdioEnds({
    input: process.stdin,
    output: process.stdout,
    command,
    cwd,
    environment,
    events: {
      clientLine: (client) => pipeLine(socket, { client }),
      serverLine: (server) => pipeLine(socket, { server }),
      clientEnd: () => ended.resolve(undefined),
      serverEnd: (error) => {
        if (error !== undefined) pipeLine(socket, { failed: error.message });
        ended.resolve(undefined);
      },
    },
  });
  onAbort(signal, () => ended.resolve(undefined));
  await Promise.race([servePipe(socket, ends), ended.promise]);
  await ends.end();
  socket.end();
  return EXIT_CODES.ok;
}

async function runAlone(
  args: Given,
  plan: ProxyPlan,
  recording: ProxyRecording | undefined,
  terminal: Terminal,
): Promise<number> {
  const { cwd, env, signal } = terminal;
  const tally = new Tally();
  const server = args.options.server ?? serverName(args.positionals);
  const recorder = projectRecorder(plan.root, { environments: [env], keys: {}, patterns: plan.redactPatterns });
  let numbers = 0;
  const report = (one: Parameters<Tally['add']>[0]): void => {
    tally.add(one);
    if (one.explanation !== undefined) terminal.note(`tapedeck: ${one.verdict}\n${one.explanation}`);
  };
  const mcp = await McpRun.open({
    ...plan,
    recorder,
    journal: recording?.journal,
    nextNumber: () => numbers++,
    report,
  });
  const ended = createSignal<Error | undefined>();
  const ends: StdioEnds = new StdioEnds({
    input: process.stdin,
    output: process.stdout,
    command: args.positionals,
    cwd,
    environment: env,
    events: {
      clientLine: (line) => link.clientLine(line),
      serverLine: (line) => link.serverLine(line),
      clientEnd: () => ended.resolve(undefined),
      serverEnd: (error) => ended.resolve(error),
    },
  });
  const link = new StdioTransport(mcp, server, {
    toClient: (line) => ends.toClient(line),
    toServer: (line) => ends.toServer(line),
    startServer: () => ends.startServer(),
  });
  // Many clients end a server with a signal, which is no less an end than that of its input.
  onAbort(signal, () => ended.resolve(undefined));
  const failure = await ended.promise;
  await ends.end();
  await mcp.drain();
  terminal.note(`tapedeck: ${plan.mode}: ${tally.text()}`);
  if (failure !== undefined) {
    terminal.note(`tapedeck: ${failure.message}`);
    await recording?.keepFailed();
    return EXIT_CODES.failed;
  }
  const recorded = mcp.recordedByNumber.map(([, interaction]) => interaction);
  await recording?.save({
    recorded,
    recorder,
    replaces: ({ mcp: old }) => plan.mode === 'record' && old?.server === server,
  });
  return tally.misses > 0 ? EXIT_CODES.drifted : EXIT_CODES.ok;
}

/** A name for a server, from its command: the package or the script that it runs. */
function serverName(command: readonly string[]): string {
  const words = command.filter((word) => !word.startsWith('-'));
  const [program = 'server', script] = words;
  const isRunner = /^(?:npx|npm|node|bun|bunx|deno|uv|uvx|python\d*(?:\.\d+)?|docker|pipx)$/.test(
    basename(program, extname(program)),
  );
  return basename((isRunner ? script : undefined) ?? program).replace(/@[^@]*$|\.[^.]+$/, '') || 'server';
}

function onAbort(signal: AbortSignal, then: () => void): void {
  if (signal.aborted) then();
  else signal.addEventListener('abort', then, { once: true });
}

/** A promise that is settled from outside. */
function createSignal<T>(): { readonly promise: Promise<T>; resolve(value: T): void } {
  let settle: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value) => settle(value) };
}
