import type { JoinedRules } from '../../core/cases/toml/replaySpec';
import type { MasksIn } from '../../core/match/formatDrift';
import type { ProjectConfig } from '../../core/project/projectConfig';
import { lineOf } from '../../core/text/commandLine';
import type { RequestEdits } from '../../core/wire/edit/editRequest';
import { type Telemetry, telemetryAtHost, telemetryIn } from '../../core/wire/telemetry';
import { addressOf, type Destination, originOf } from '../network/destination';
import type { Forwarder } from '../network/forward';
import { hostOf } from '../network/hosts';
import { refusedKey } from '../network/keyRing';
import type { LoopbackServer } from '../network/listen';
import type { NetworkPolicy } from '../network/policy';
import type { HiddenInteraction } from '../recording/hidden';
import type { Journal } from '../recording/journal';
import type { LazyRecorder } from '../recording/openRecorder';
import type { ResumeAt } from '../recording/writeTake';
import type { BesideRun, McpBeside } from './addressedMcp';
import { admitted } from './admitMcp';
import { type Explain, explainer } from './explainer';
import { rejectionReport } from './rejectionReport';
import { isRecordedHost, recordsTelemetry } from './routes/hostChoice';
import { isLedElsewhere } from './routes/hostRoute';
import { laneSegment } from './routes/route';
import {
  agentVariables,
  resolveUpstreams,
  standInKeys,
  type UpstreamChoices,
  type Upstreams,
  unknownUpstream,
  withoutUnsignable,
} from './routes/upstreams';
import type { ForwardOptions } from './server/forwardProxy';
import { openPlace, type ProxyPlace, type RunningProxy, startProxy } from './server/proxyServer';
import type { HoldGate } from './session/holdGate';
import type { LaneResult } from './session/laneResult';
import { LaneSessions, type LaneTapes, type ProxyLane } from './session/laneSessions';
import { type InteractionReport, Tally } from './session/report';
import type { RequestRewriter } from './session/requestRewriter';
import type { Pace } from './session/sendResponse';
import { ProxySession } from './session/session';
import { SessionHolds } from './session/sessionHolds';
import type { ProxyMode } from './session/sessionOptions';
import type { Abandoned, AbandonedReason } from './silentAgent';
import type { LoadedTape } from './tape/loadedTape';
import { loadTape, ReplayTape } from './tape/replayTape';

type Environment = Readonly<Record<string, string | undefined>>;

export interface ProxyOptions {
  /** The project's root. */
  readonly root: string;
  readonly tapePath: string;
  readonly mode: ProxyMode;
  readonly config: ProjectConfig;
  /** Of the user: where it names upstreams they count, and its secrets are kept off the tape. */
  readonly environment: Environment;
  readonly recorder: LazyRecorder;
  /** What this session may reach, and with which keys. */
  readonly network: NetworkPolicy;
  readonly rules: JoinedRules;
  /** Addresses of upstreams; those of `[proxy.upstream]` are added. */
  readonly upstreams?: UpstreamChoices;
  readonly pace?: Pace;
  /** A sentence about how to record again. */
  readonly rerecord?: string;
  /** Where the user can declare masks; by default as options of the command. */
  readonly masksIn?: MasksIn;
  readonly repeat?: boolean | undefined;
  /** In `auto`: where a new take begins. */
  readonly resume?: ResumeAt | undefined;
  /** With `resume`: the requests before must be as they are on the tape, or nothing is sent. */
  readonly isFork?: true | undefined;
  /** What is changed in the requests that are sent. */
  readonly edits?: RequestEdits | undefined;
  /** Where the recording is kept while it is made. */
  readonly journal?: Journal | undefined;
  /** A tape for each lane, such as a test; otherwise all share one. */
  laneTapes?: LaneTapes | undefined;
  /** Also for requests that are made to the own addresses of APIs and other hosts. */
  readonly forward?: boolean;
  readonly port?: number;
  readonly token?: string;
  /** Opens what records and replays the agent's MCP servers. */
  openMcp?(run: BesideRun): Promise<McpBeside>;
  /** Where the user can have requests held. */
  readonly gate?: HoldGate | undefined;
  onReport?(report: InteractionReport): void;
  /** Called with what a test did with its tape, when its runner says that it has ended. */
  onLaneEnd?(tapePath: string, result: LaneResult): Promise<void>;
  /** Called with the stack of a bug. */
  onFault?(message: string): void;
}

/** A running proxy. */
export interface OpenProxy {
  readonly base: string;
  /** What the agent reaches on this machine. */
  readonly servers: readonly Pick<LoopbackServer, 'port' | 'listenAt'>[];
  /** The environment variables that lead an agent's SDKs to this proxy. */
  readonly variables: Readonly<Record<string, string>>;
  readonly upstreams: Upstreams;
  readonly tally: Tally;
  /** How many interactions the tape has; 0 where none is replayed. */
  readonly onTape: number;
  /** Connections of the agent that carried no request. */
  readonly abandoned: Abandoned;
  /** The command lines of MCP servers that the agent started itself, as far as that is seen: what they do is not on the tape. */
  startedServers(): Promise<readonly string[]>;
  /** Where each lane has a tape: those that made a request. */
  readonly lanes: readonly ProxyLane[];
  /** Complete after `drain`; of all lanes. */
  readonly recorded: readonly HiddenInteraction[];
  /** The same, each with its position among all requests. */
  readonly recordedByNumber: readonly (readonly [number: number, HiddenInteraction])[];
  /** Also hides where the proxy listens. */
  readonly recorder: LazyRecorder;
  /** The indexes of the recordings that were not used. Telemetry, which older tapes have, need not be. */
  unused(): Promise<readonly number[]>;
  /** Waits until all requests of the agent are recorded and counted; upstreams that are silent for too long are cut off. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Of a command line that is shown. */
const LONGEST_LINE = 300;

/** How long upstreams may still respond after the agent has ended. */
const PATIENCE_MS = 5_000;

/** Opens the tape where the mode reads it, and starts the proxy. Rejects with a `UserError` when that cannot be done. */
export async function openProxy(options: ProxyOptions): Promise<OpenProxy> {
  const { environment, config } = options;
  const { project, ...choices } = options.upstreams ?? {};
  const upstreams = resolveUpstreams({ ...choices, project: { ...config.proxy.upstreams, ...project } }, environment);
  if (options.mode !== 'replay') await requireOwnKeys(upstreams, options.network);
  const tape = options.laneTapes === undefined ? await openTape(options) : undefined;
  const rewriter = options.edits && new (await import('./session/requestRewriter')).RequestRewriter(options.edits);
  const place = await openPlace(options);
  try {
    return await openAt(place, options, { upstreams, tape, rewriter });
  } catch (error) {
    await place.server.close();
    throw error;
  }
}

interface ProxyParts {
  readonly upstreams: Upstreams;
  readonly tape: ReplayTape | undefined;
  readonly rewriter: RequestRewriter | undefined;
}

async function openAt(
  place: ProxyPlace,
  given: ProxyOptions,
  { upstreams, tape, rewriter }: ProxyParts,
): Promise<OpenProxy> {
  const tally = new Tally();
  const report = (one: InteractionReport): void => {
    tally.add(one);
    given.onReport?.(one);
  };
  const onTelemetry = (telemetry: Telemetry): void => tally.addTelemetry(telemetry);
  const beside = {
    nextNumber: () => session.nextNumber(),
    report,
    recorder: given.recorder.withProxy(place.address),
  };
  const mcp = await given.openMcp?.(beside);
  const recorder = mcp?.recorder ?? beside.recorder;
  const options = { ...given, recorder };
  const forwarder = new LazyForwarder(options);
  const session = createSession(options, { tape, forwarder, rewriter, report, onTelemetry });
  const lanes =
    options.laneTapes &&
    new LaneSessions(options.laneTapes, async (own, reportToLane) => {
      const ofLane = { ...options, ...own };
      const laneTape = await openTape(ofLane);
      const reportToBoth = (one: InteractionReport): void => {
        reportToLane(one);
        report(one);
      };
      const parts = { tape: laneTape, forwarder, rewriter, report: reportToBoth, onTelemetry };
      return { tape: laneTape, session: createSession(ofLane, parts) };
    });
  const reportFault = async (message: string): Promise<void> => options.onFault?.((await recorder.get()).text(message));
  const abandoned = new Map<string, AbandonedReason>();
  const servers = new Set<string>();
  const takesMcp = mcp && options.forward ? { takesMcp: admitted(options, mcp) } : {};
  const server = await startProxy(place, {
    session,
    lanes,
    onServer: (command) => servers.add(lineOf(command)),
    laneDoor: lanes && {
      begin: async (lane, plan) => {
        const { mode } = await lanes.plan(lane, plan, recorder);
        return { mode, variables: variablesOfLane(lane, await variablesOf(mode), server) };
      },
      result: (lane) => lanes.result(lane),
      end: async (lane, outcome) => {
        const result = await lanes.end(lane, outcome, recorder);
        const ended = lanes.lanes.findLast((one) => one.lane === lane && one.isEnded);
        if (ended !== undefined) await options.onLaneEnd?.(ended.tapePath, result);
        return result;
      },
    },
    ...takesMcp,
    telemetryIn: (request) => (recordsTelemetry(request.url, options.config.proxy) ? undefined : telemetryIn(request)),
    upstreams,
    otherUpstream: options.mode === 'replay' ? unknownUpstream : undefined,
    forward: options.forward ? forwardOptions(options, { session, upstreams, abandoned, onTelemetry }) : undefined,
    onFault: (message) => void reportFault(message),
  });
  const byMode = new Map<ProxyMode, ReturnType<typeof proxyVariables>>();
  const variablesOf = (mode: ProxyMode): ReturnType<typeof proxyVariables> => {
    const known = byMode.get(mode) ?? proxyVariables({ ...options, mode }, upstreams, server);
    byMode.set(mode, known);
    return known;
  };
  const variables = await variablesOf(options.mode);
  const recordedByNumber = (): OpenProxy['recordedByNumber'] =>
    mcp === undefined
      ? session.recordedByNumber
      : [...session.recordedByNumber, ...mcp.recordedByNumber].sort(([left], [right]) => left - right);
  return {
    base: server.base,
    servers: [place.server, mcp?.bridge ?? []].flat(),
    variables: { ...variables, ...mcp?.variables },
    upstreams,
    tally,
    onTape: tape?.count ?? 0,
    abandoned,
    startedServers: async () => {
      if (servers.size === 0) return [];
      const hiding = await recorder.get();
      return [...servers].map((line) => hiding.text(line).slice(0, LONGEST_LINE));
    },
    get lanes() {
      return lanes?.lanes ?? [];
    },
    get recorded() {
      const ofLanes = lanes?.lanes.flatMap(({ recorded }) => recorded) ?? [];
      return [...recordedByNumber().map(([, interaction]) => interaction), ...ofLanes];
    },
    get recordedByNumber() {
      return recordedByNumber();
    },
    recorder,
    drain: async () => {
      await server.settled();
      const timer = setTimeout(() => void forwarder.close(), PATIENCE_MS);
      await Promise.all([session.drain(), lanes?.drain(), mcp?.drain()]);
      clearTimeout(timer);
    },
    unused: async () => ((await tape?.unused()) ?? []).filter((index) => !mcp?.served.has(index)),
    close: async () => {
      await mcp?.close();
      await server.close();
      await forwarder.close();
      tape?.close();
      lanes?.close();
    },
  };
}

/**
 * Rejects with a `UserError` when a file of the project leads an API, and with it the API's keys, to a host that they do not
 * belong to. The agent may have a key that this process does not know.
 */
async function requireOwnKeys(upstreams: Upstreams, { keys }: NetworkPolicy): Promise<void> {
  for (const { address, isOfProject, keyVariables } of upstreams.values()) {
    if (address === undefined || !isOfProject) continue;
    for (const variable of keyVariables) await keys.keyFor(variable, address);
    const [first] = keyVariables;
    if (first === undefined || keyVariables.some((variable) => keys.isSet(variable))) continue;
    if ((await keys.standing(first, address)) === 'refused') throw refusedKey(first, hostOf(address));
  }
}

/** A forwarder that is loaded with the first request to an upstream: a replay has none. */
class LazyForwarder {
  readonly #options: ProxyOptions;
  #loading: Promise<Forwarder> | undefined;

  constructor(options: ProxyOptions) {
    this.#options = options;
  }

  get(): Promise<Forwarder> {
    const { network, environment } = this.#options;
    this.#loading ??= import('../network/forward').then(({ Forwarder }) => new Forwarder(network, environment));
    return this.#loading;
  }

  /** Ends the requests in progress. */
  async close(): Promise<void> {
    (await this.#loading)?.close();
  }
}

interface SessionParts {
  readonly tape: ReplayTape | undefined;
  readonly forwarder: LazyForwarder;
  readonly rewriter: RequestRewriter | undefined;
  report(report: InteractionReport): void;
  onTelemetry(telemetry: Telemetry): void;
}

function createSession(options: ProxyOptions, parts: SessionParts): ProxySession {
  const { tape, forwarder, rewriter, report, onTelemetry } = parts;
  const explain = explainer(options, tape);
  return new ProxySession({
    mode: options.mode,
    holds: options.gate && sessionHolds({ ...options, gate: options.gate }, tape, explain),
    recorder: options.recorder,
    pace: options.pace ?? 0,
    resume: options.resume,
    isFork: options.isFork,
    rewriter,
    journal: options.journal,
    forwarder: () => forwarder.get(),
    requireOwnKeys: async (target, headers) => {
      const { requireNoForeignKey } = await import('../network/foreignKeys');
      await requireNoForeignKey(target, headers, options.environment, options.network.keys);
    },
    explain,
    report,
    onTelemetry,
    tape,
  });
}

/** In a recording, requests are compared with the last take. */
function sessionHolds(
  { gate, recorder, tapePath: path }: ProxyOptions & { readonly gate: HoldGate },
  tape: ReplayTape | undefined,
  explain: Explain,
): SessionHolds {
  const lastTake = async (): Promise<LoadedTape | undefined> =>
    (await ReplayTape.exists(path)) ? loadTape({ path, recorder }) : undefined;
  return new SessionHolds({ gate, recorder, explain, tape: () => tape?.loaded() ?? lastTake() });
}

async function openTape(options: ProxyOptions): Promise<ReplayTape | undefined> {
  const { mode, root, tapePath: path, recorder, repeat = false } = options;
  if (mode !== 'replay' && mode !== 'auto') return undefined;
  if (mode === 'auto' && !(await ReplayTape.exists(path))) return undefined;
  // What drifted is new where new requests are recorded.
  const rules = mode === 'replay' ? options.rules : { ...options.rules, onDrift: 'fail' as const };
  return ReplayTape.open({ root, path, rules, recorder, repeat });
}

interface Forwarded {
  readonly session: ProxySession;
  readonly upstreams: Upstreams;
  readonly abandoned: Map<string, AbandonedReason>;
  onTelemetry(telemetry: Telemetry): void;
}

/** Whether anything is passed on unread to a server that it asks for: what is ignored, or is not HTTP. */
function passesOn(mode: ProxyMode): boolean {
  return mode !== 'replay';
}

function forwardOptions(
  { mode, config, network }: ProxyOptions,
  { session, upstreams, abandoned, onTelemetry }: Forwarded,
): ForwardOptions {
  const telemetryAt = ({ host, port }: Destination) => {
    const url = new URL(originOf('https', host, port));
    return recordsTelemetry(url, config.proxy) ? undefined : telemetryAtHost(url);
  };
  const abandon = (destination: Destination, reason: AbandonedReason): void => {
    if (telemetryAt(destination) === undefined) abandoned.set(addressOf(destination), reason);
  };
  return {
    ...(passesOn(mode) && { blind: network }),
    isRecorded: (host) => isRecordedHost(host, config.proxy),
    isLedElsewhere: (origin) => isLedElsewhere(origin, upstreams),
    isTelemetry: (destination) => telemetryAt(destination) !== undefined,
    onRejected: (destination, reason) => {
      const telemetry = telemetryAt(destination);
      if (telemetry === undefined) void session.rejected(destination.host, rejectionReport(destination, reason, mode));
      else onTelemetry(telemetry);
    },
    onAbandoned: (destination) => abandon(destination, 'closed'),
    onAdmitted: (destination) => abandoned.delete(addressOf(destination)),
    onUnauthorised: (destination) => abandon(destination, 'no-secret'),
  };
}

async function proxyVariables(
  { mode, environment }: ProxyOptions,
  upstreams: Upstreams,
  { base, forward }: RunningProxy,
): Promise<Record<string, string>> {
  const led = mode !== 'replay' && forward !== undefined ? withoutUnsignable(upstreams, environment) : upstreams;
  return {
    ...agentVariables(led, base),
    ...(mode === 'replay' ? standInKeys(upstreams, environment) : {}),
    ...(forward === undefined ? withoutProxies(environment) : await variablesOfForward(forward, mode, environment)),
    TAPEDECK_PROXY: base,
    TAPEDECK_MODE: mode,
  };
}

/** The variables of a proxy as those of one of its lanes. */
function variablesOfLane(
  lane: string,
  variables: Readonly<Record<string, string>>,
  { base, forward = '' }: RunningProxy,
): Record<string, string> {
  const led = (value: string): string =>
    value.startsWith(`${base}/`)
      ? `${base}/${laneSegment(lane)}${value.slice(base.length)}`
      : value === forward
        ? withUser(forward, lane)
        : value;
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, led(value)]));
}

function withUser(address: string, user: string): string {
  const url = new URL(address);
  url.username = encodeURIComponent(user);
  return url.href.replace(/\/$/, '');
}

async function variablesOfForward(
  proxy: string,
  mode: ProxyMode,
  environment: Environment,
): Promise<Record<string, string>> {
  const [{ writeTrustFiles }, { forwardVariables }] = await Promise.all([
    import('../network/certificates/trust'),
    import('./routes/forwardVariables'),
  ]);
  const trust = await writeTrustFiles(environment, passesOn(mode) ? 'any server' : 'this machine');
  return { ...forwardVariables({ proxy, trust }, environment), ...(passesOn(mode) ? {} : FROM_CACHE) };
}

/** A replay answers package managers that there is nothing: what they fetched once, they have. */
const FROM_CACHE = { npm_config_prefer_offline: 'true', UV_OFFLINE: '1' };

/** Keeps an HTTP proxy of the environment from standing between the agent and this one. */
function withoutProxies({ NO_PROXY, no_proxy }: Environment): Record<string, string> {
  const others = NO_PROXY ?? no_proxy;
  const value = others ? `${others},127.0.0.1,localhost` : '127.0.0.1,localhost';
  return { NO_PROXY: value, no_proxy: value };
}
