import type { Drift } from '../../core/match/explainDrift';
import type { MatchRules } from '../../core/match/recordings';
import type { RecordedInteraction } from '../../core/model/interaction';
import type { ProjectConfig } from '../../core/project/projectConfig';
import { fromRoot } from '../files/projectPaths';
import type { Forwarder } from '../network/forward';
import type { ResumeAt } from '../recording/writeTake';
import { LazyRedactor } from './lazyRedactor';
import { startProxy } from './proxyServer';
import { ReplayTape } from './replayTape';
import type { InteractionReport } from './report';
import { Tally } from './report';
import type { Pace } from './sendResponse';
import { type ProxyMode, ProxySession } from './session';
import { agentVariables, resolveUpstreams, standInKeys } from './upstreams';

type Environment = Readonly<Record<string, string | undefined>>;

export interface ProxyOptions {
  /** The project's root. */
  readonly root: string;
  readonly tapePath: string;
  readonly mode: ProxyMode;
  readonly config: ProjectConfig;
  readonly environment: Environment;
  readonly rules: Pick<MatchRules, 'match' | 'masks'>;
  /** Upstreams that beat those of the project, by the name of their API. */
  readonly upstreams?: Readonly<Record<string, string>>;
  readonly pace?: Pace;
  /** How the user records again, as a sentence. */
  readonly rerecord?: string;
  readonly repeat?: boolean;
  /** In `auto`: where a new take begins. */
  readonly resume?: ResumeAt | undefined;
  readonly port?: number;
  readonly token?: string;
  onReport?(report: InteractionReport): void;
  onFault?(message: string): void;
}

/** A proxy that is up. */
export interface OpenProxy {
  readonly base: string;
  /** What an agent's environment needs so that its SDKs come here. */
  readonly variables: Readonly<Record<string, string>>;
  readonly tally: Tally;
  /** How many interactions the tape has; 0 where none is replayed. */
  readonly onTape: number;
  /** After `settled`. */
  readonly recorded: readonly RecordedInteraction[];
  /** The same, each with its place among all requests. */
  readonly recordedByNumber: readonly (readonly [number: number, RecordedInteraction])[];
  readonly redactor: LazyRedactor;
  /** Recordings that nobody asked for, counted from 0. */
  unused(): readonly number[];
  /** Waits until what the agent has asked for is recorded and counted; upstreams that say nothing are cut off. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const RERECORD = 'Record again with --record, or only what is new with --auto.';

/** How long upstreams may go on for an agent that has ended. */
const PATIENCE_MS = 5_000;

/** Opens the tape where the mode reads it, and starts the proxy. Rejects with a `UserError` when that cannot be done. */
export async function openProxy(options: ProxyOptions): Promise<OpenProxy> {
  const { mode, environment, config, pace = 0 } = options;
  const upstreams = resolveUpstreams({ ...config.proxy.upstreams, ...options.upstreams }, environment);
  const redactor = new LazyRedactor(config.proxy.redactPatterns, environment);
  const tape = await tapeFor(options, redactor);
  let asking: Promise<Forwarder> | undefined;
  const forwarder = (): Promise<Forwarder> => {
    asking ??= import('../network/forward').then((module) => new module.Forwarder());
    return asking;
  };
  const tally = new Tally();
  const report = (one: InteractionReport): void => {
    tally.add(one);
    options.onReport?.(one);
  };
  const explain = async (drift: Drift): Promise<string> => {
    const { formatDrift } = await import('../../core/match/formatDrift');
    return formatDrift(drift, {
      tape: fromRoot(options.root, options.tapePath),
      rerecord: options.rerecord ?? RERECORD,
    });
  };
  const { resume } = options;
  const session = new ProxySession({ mode, redactor, pace, resume, forwarder, explain, report, ...(tape && { tape }) });
  const { port, token, onFault } = options;
  const server = await startProxy({
    session,
    upstreams,
    ...(port === undefined ? {} : { port }),
    ...(token === undefined ? {} : { token }),
    ...(onFault && { onFault }),
  });
  return {
    base: server.base,
    variables: {
      ...agentVariables(upstreams, server.base),
      ...(mode === 'replay' ? standInKeys(upstreams, environment) : {}),
      ...withoutProxies(environment),
      TAPEDECK_PROXY: server.base,
      TAPEDECK_MODE: mode,
    },
    tally,
    onTape: tape?.count ?? 0,
    get recorded() {
      return session.recorded;
    },
    get recordedByNumber() {
      return session.recordedByNumber;
    },
    redactor,
    settled: async () => {
      const timer = setTimeout(() => void asking?.then((module) => module.close()), PATIENCE_MS);
      await session.settled();
      clearTimeout(timer);
    },
    unused: () => tape?.unused() ?? [],
    close: async () => {
      await server.close();
      (await asking)?.close();
      tape?.close();
    },
  };
}

async function tapeFor(options: ProxyOptions, redactor: LazyRedactor): Promise<ReplayTape | undefined> {
  const { mode, root, tapePath: path, rules, repeat = false } = options;
  if (mode !== 'replay' && mode !== 'auto') return undefined;
  if (mode === 'auto' && !(await ReplayTape.exists(path))) return undefined;
  return ReplayTape.open({ root, path, rules, redactor, repeat });
}

/** An HTTP proxy of the environment must not stand between the agent and this one. */
function withoutProxies({ NO_PROXY, no_proxy }: Environment): Record<string, string> {
  const others = NO_PROXY ?? no_proxy;
  const value = others ? `${others},127.0.0.1,localhost` : '127.0.0.1,localhost';
  return { NO_PROXY: value, no_proxy: value };
}
