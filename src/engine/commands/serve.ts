import { EXIT_CODES } from '../../core/cases/runOutcome';
import type { OpenProxy } from '../proxy/openProxy';
import type { LaneResult } from '../proxy/session/laneResult';
import { tellLane } from '../recording/toldLane';
import type { LaneRecordings } from '../sessions/laneRecordings';
import type { ProxyRecording } from '../sessions/proxyRecording';
import type { Terminal } from '../terminal/terminal';
import { quantity } from '../terminal/visibleText';
import { type Arguments, command, flag, port, refuseArguments, text, UsageError } from './command';
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
  repeat: flag('When all recordings of a request have been served, serve the last one again'),
  port: port('N', 'The port (default: a free one)'),
  forward: flag(
    "Serve also what is sent to the own addresses of APIs and other hosts, as exec does: prints a proxy's address and certificates",
  ),
  token: text('TEXT', 'The secret token in the base URLs (default: a new random one)'),
  attached: flag(
    'Stop also when standard input ends, as it does where the program is gone that started it; lanes that have not ended are then kept',
  ),
  json: flag('Print the variables as one line of JSON'),
};
type Given = Arguments<typeof OPTIONS>;

export const serveCommand = command({
  usage: '--tape FILE [OPTIONS]',
  about: 'Record or replay the model calls of other programs, until stopped',
  options: OPTIONS,
  details: `Prints the variables that point SDKs to the proxy, as NAME=VALUE lines, then serves until SIGINT or SIGTERM; a recording is
written at the end, and until then kept in .tapedeck/journal/: see tapedeck recover. The address is only reachable from
this machine, and contains a secret token.
A session keeps the traffic of one agent run apart from others: put /~NAME before the name of the API in the URL, or send
the header x-tapedeck-lane or x-test-id. All sessions share the tape, in the order of each.
With {lane} in the name of the tape, each session is a lane with a tape of its own, as tests have that run at the same time. A test
runner may say more of each at $TAPEDECK_PROXY/~NAME, where NAME is percent-encoded:
  PUT      begins it, with {"tape": FILE, "mode": "none" | "once" | "new" | "rewrite", "match", "mask", "on_drift", "test": ID,
           "rerecord": how to record again}, of which nothing needs to be given. The answer has the environment "variables" that lead to it
  GET      says what it did until now: "requests", "recorded", "verdicts", "failures", and the numbers of "unused" recordings
  DELETE   with ?outcome=passed ends it, saves its tape, and says the same; with failed or skipped, its recording is kept: see tapedeck recover

Exit codes: 0 all good; 2 the command line or the tape is invalid; 3 an upstream cannot be reached; 4 a request had no
recording.`,
  examples: [
    'tapedeck serve --tape tapes/refund.yaml',
    "tapedeck serve --tape 'tapes/{lane}.tape.jsonl' --auto",
    'eval "$(tapedeck serve --tape t.yaml --record | sed s/^/export\\ /)"',
  ],
  run,
});

async function run(args: Given, terminal: Terminal): Promise<number> {
  const tape = args.options.tape;
  const [first] = args.positionals;
  if (tape === undefined && first !== undefined) throw new UsageError('no tape given', `Did you mean --tape ${first}?`);
  refuseArguments(args.positionals);
  if (tape === undefined) throw new UsageError('no tape given: pass --tape FILE');
  const plan = await planProxy(args, terminal, tape);
  const recording = await beginRecordings(plan, terminal);
  try {
    const proxy = await plan.open({ ...settings(args, terminal), ...recordingOptions(recording) });
    try {
      announce(args, plan, proxy, terminal);
      const isLeft = await stopped(terminal.signal, args.options.attached);
      await proxy.drain();
      return await conclude(plan, { proxy, recording, isLeft }, terminal);
    } finally {
      await proxy.close();
    }
  } finally {
    await recording?.end();
  }
}

function settings(args: Given, { note, env }: Terminal) {
  const port = args.options.port;
  const { token, forward } = args.options;
  if (token !== undefined && !/^[\w-]{8,100}$/.test(token))
    throw new UsageError('--token must be 8 to 100 letters, digits, hyphens or underscores');
  return {
    repeat: args.options.repeat,
    forward,
    ...(port === undefined ? {} : { port }),
    ...(token === undefined ? {} : { token }),
    onLaneEnd: async (tape: string, { failures }: LaneResult) => {
      if (env.TAPEDECK_RESULTS) await tellLane(env.TAPEDECK_RESULTS, { tape, failures });
    },
    onReport: ({ number, path, verdict, explanation }: OpenProxy['tally']['reports'][number]) => {
      if (explanation !== undefined) note(`tapedeck: request ${number + 1}, ${path}: ${verdict}\n${explanation}`);
    },
  };
}

function announce(args: Given, plan: ProxyPlan, proxy: OpenProxy, { print, note }: Terminal): void {
  const variables = Object.entries(proxy.variables);
  print(
    args.options.json
      ? `${JSON.stringify(proxy.variables)}\n`
      : variables.map(([name, value]) => `${name}=${value}\n`).join(''),
  );
  const tape = proxy.onTape > 0 ? ` with ${quantity(proxy.onTape, 'interaction')}` : '';
  note(`tapedeck: ${plan.mode}, ${plan.tapePath}${tape}; press Ctrl+C to stop`);
}

/** Whether the program is gone that started this one, rather than that it was told to stop. */
function stopped(signal: AbortSignal, isAttached: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    signal.addEventListener('abort', () => resolve(false), { once: true });
    if (!isAttached) return;
    process.stdin.once('end', () => resolve(true));
    process.stdin.once('close', () => resolve(true));
    process.stdin.resume();
  });
}

interface EndedServer {
  readonly proxy: OpenProxy;
  readonly recording: ProxyRecording | LaneRecordings | undefined;
  /** Nobody said how the tests ended whose lanes are left. */
  readonly isLeft: boolean;
}

async function conclude(
  { mode }: ProxyPlan,
  { proxy, recording, isLeft }: EndedServer,
  { note }: Terminal,
): Promise<number> {
  const { tally } = proxy;
  note(`tapedeck: ${mode}: ${tally.text()}`);
  noteTelemetry({ mode }, tally, note);
  if (isLeft) await recording?.keepFailed();
  else await recording?.save(proxy);
  if (tally.misses > 0) return EXIT_CODES.drifted;
  return tally.count('unreachable') > 0 ? EXIT_CODES.unreachable : EXIT_CODES.ok;
}
