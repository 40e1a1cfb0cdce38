import { join, resolve } from 'node:path';
import { joinRules } from '../../core/cases/toml/replaySpec';
import { MATCH_MODES, ON_DRIFT, type ReplayRules } from '../../core/model/case';
import { JOURNAL_FOLDER } from '../../core/project/layout';
import type { ProjectConfig } from '../../core/project/projectConfig';
import { closestWord } from '../../core/text/closestWord';
import { escapeInvisible } from '../../core/text/escapeInvisible';
import { listFolder, pathExists } from '../files/fileStatus';
import { pathOfUser } from '../files/pathOfUser';
import { NetworkPolicy } from '../network/policy';
import { createRootFinder } from '../project/findRoot';
import { chooseLaneMode, chooseMode, type WantedMode } from '../proxy/chooseMode';
import { type OpenProxy, openProxy, type ProxyOptions } from '../proxy/openProxy';
import { describeUpstreams } from '../proxy/routes/upstreams';
import { projectRecorder } from '../recording/openRecorder';
import type { LaneRecordings, LaneRecordingsPlan } from '../sessions/laneRecordings';
import { isPerLane } from '../sessions/laneTape';
import type { ProxyRecording } from '../sessions/proxyRecording';
import type { Terminal } from '../terminal/terminal';
import { type Arguments, choice, flag, givenFlag, text, texts, UsageError } from './command';
import { keyRing, NETWORK_OPTIONS } from './networkOptions';

const FLAGS = ['replay', 'record', 'auto', 'once', 'passthrough'] as const satisfies readonly WantedMode[];

/** The options that `exec` and `serve` share. */
export const PROXY_OPTIONS = {
  tape: text('FILE', 'The tape. With {lane} in its name, each lane has a tape of its own'),
  replay: flag('Serve responses from the tape, never from the network (the default)'),
  record: flag('Forward requests to the upstream, and replace the tape'),
  auto: flag('Serve responses from the tape; forward requests that have no recording, and add them to the tape'),
  once: flag('Record if there is no tape, otherwise replay; never record in CI'),
  passthrough: flag('Forward requests to the upstream, and leave the tape unchanged'),
  upstream: texts('API=URL', 'The base URL of an API, such as openai=http://127.0.0.1:8000/v1'),
  ...NETWORK_OPTIONS,
  to: text('FORMAT', 'The format of a new tape, as in `tapedeck convert` (default: tapedeck; vcrpy for .yaml)'),
  match: choice(
    'MODE',
    MATCH_MODES,
    'What counts as recorded: exact (the default), subset, keyed (the default where a tape has keys in place of requests), sequence: the next recording of the endpoint, or recorder: what the program that recorded the tape would serve (the default for aimock), which may differ, and is then reported',
  ),
  mask: texts(
    'MASK',
    'What to ignore in requests: a preset such as date or uuid, an order such as tool-order, a JSON pointer such as /user, or pattern:REGEX',
  ),
  onDrift: choice(
    'WHAT',
    ON_DRIFT,
    'What to do when a request is not as recorded: fail (the default), or warn, which serves the nearest recording and reports the drift',
  ),
  pace: text('FACTOR', 'The pace of replayed streams: 0 without delays (the default), 1 as recorded, 2 at half speed'),
};

type ProxyArguments = Arguments<typeof PROXY_OPTIONS>;

export interface ProxyPlan extends LaneRecordingsPlan {
  readonly network: NetworkPolicy;
  readonly redactPatterns: readonly string[];
  open(more?: Partial<ProxyOptions>): Promise<OpenProxy>;
}

/** Combines the options with the project's settings. */
export async function planProxy(args: ProxyArguments, terminal: Terminal, tape: string): Promise<ProxyPlan> {
  const tapePath = pathOfUser(terminal.cwd, tape);
  const { env: environment, cwd } = terminal;
  const asked = givenFlag(args.options, FLAGS);
  const { mode, laneMode } = isPerLane(tapePath)
    ? chooseLaneMode({ flag: asked, environment })
    : { mode: await chooseMode({ flag: asked, environment, tapePath }), laneMode: 'none' as const };
  const root = createRootFinder(cwd)(resolve(tapePath, '..'));
  const { configNotices, projectConfig } = await import('../project/projectConfig');
  const config = await projectConfig(root);
  for (const notice of await configNotices(root)) terminal.note(`tapedeck: ${escapeInvisible(notice)}`);
  const commandLine = Object.fromEntries(args.options.upstream.map(upstreamOf));
  const network = NetworkPolicy.for(mode === 'replay' ? 'replay' : 'record', await keyRing(args, terminal, root));
  const rules = await matchRules(args, config);
  const pace = paceOf(args.options.pace);
  const format = (await namedFormat(args.options.to)) ?? config.proxy.format;
  const fault = (message: string) => terminal.note(`tapedeck: ${message}`);
  const open = async (more: Partial<ProxyOptions> = {}) => {
    const proxy = await openProxy({
      root,
      tapePath,
      mode,
      config,
      environment,
      recorder: projectRecorder(root, { environments: [environment], keys: {}, patterns: config.proxy.redactPatterns }),
      network,
      rules,
      upstreams: { commandLine },
      pace,
      onFault: fault,
      ...more,
    });
    if (mode !== 'replay')
      for (const line of describeUpstreams(proxy.upstreams)) terminal.note(`tapedeck: ${mode}: ${line}`);
    return proxy;
  };
  return {
    mode,
    laneMode,
    cwd,
    root,
    tapePath,
    format,
    rules,
    network,
    redactPatterns: config.proxy.redactPatterns,
    open,
  };
}

/**
 * Begins what the plan records; undefined if that is nothing. Tells of earlier recordings of the project that were
 * interrupted. Rejects with a `UserError` if the tape could not be written.
 */
export async function beginRecording(plan: ProxyPlan, { note }: Terminal): Promise<ProxyRecording | undefined> {
  const records = plan.mode === 'record' || plan.mode === 'auto';
  // A replay starts without the code of recordings.
  const journals = join(plan.root, JOURNAL_FOLDER);
  const hasJournals = pathExists(journals) && (await listFolder(journals)).length > 0;
  if (!records && !hasJournals) return undefined;
  const { offerInterrupted, ProxyRecording } = await import('../sessions/proxyRecording');
  await offerInterrupted(plan.root, note);
  if (plan.mode === 'record') await noteCost(plan, note);
  return records ? ProxyRecording.begin(plan, note) : undefined;
}

/** The same where each lane may have a tape: see `serve --help`. */
export async function beginRecordings(
  plan: ProxyPlan,
  terminal: Terminal,
): Promise<ProxyRecording | LaneRecordings | undefined> {
  if (!isPerLane(plan.tapePath)) return beginRecording(plan, terminal);
  const { offerInterrupted } = await import('../sessions/proxyRecording');
  const { LaneRecordings } = await import('../sessions/laneRecordings');
  await offerInterrupted(plan.root, terminal.note);
  return new LaneRecordings(plan, terminal.note);
}

/** What a proxy needs of the recordings that were begun. */
export function recordingOptions(recording: ProxyRecording | LaneRecordings | undefined): Partial<ProxyOptions> {
  if (recording === undefined) return {};
  return 'journal' in recording ? { journal: recording.journal } : { laneTapes: recording };
}

/** Tells of requests that are neither on the tape nor counted. */
export function noteTelemetry(
  { mode }: Pick<ProxyPlan, 'mode'>,
  tally: OpenProxy['tally'],
  note: Terminal['note'],
): void {
  const text = tally.telemetryText({ isReplay: mode === 'replay' });
  if (text !== undefined) note(`tapedeck: ${mode}: ${text}`);
}

/** Prints what the replaced tape would cost now: the recording will probably cost about the same. */
async function noteCost({ root, tapePath }: ProxyPlan, note: Terminal['note']): Promise<void> {
  const { estimateTape } = await import('../cases/estimateRecording');
  const { formatDatedCost } = await import('../../core/prices/formatRetakeCost');
  const cost = await estimateTape(root, tapePath);
  if (cost !== undefined && cost.calls > 0)
    note(`tapedeck: record: the last recording has ${escapeInvisible(formatDatedCost(cost))}`);
}

/** Checked also where nothing is recorded: what is misspelt is not to be found out by the next recording. */
async function namedFormat(id: string | undefined): Promise<string | undefined> {
  if (id === undefined) return undefined;
  const { formats } = await import('../../core/tapes/registry');
  if (formats.some((format) => format.id === id)) return id;
  const close = closestWord(
    id,
    formats.map((format) => format.id),
  );
  throw new UsageError(
    `--to cannot be \`${id}\`: there is no such format`,
    close === undefined ? 'For the list of formats: tapedeck convert --help' : `Did you mean --to ${close}?`,
  );
}

/** The rules of the command line, before those of the project. */
async function matchRules(
  { options }: ProxyArguments,
  { proxy, replay }: ProjectConfig,
): Promise<ProxyOptions['rules']> {
  const { match, onDrift, mask } = options;
  const own = { ...(match && { match }), ...(onDrift && { onDrift }), masks: await masksOf(mask) };
  return joinRules([own, proxy.rules, replay]);
}

async function masksOf(texts: readonly string[]): Promise<ReplayRules['masks']> {
  if (texts.length === 0) return [];
  const { maskRefusal, parseMask } = await import('../../core/match/masks');
  return texts.map((text) => {
    const mask = parseMask(text);
    if (mask !== undefined) return mask;
    const { message, fix } = maskRefusal(text);
    throw new UsageError(message, fix);
  });
}

function upstreamOf(text: string): [string, string] {
  const at = text.indexOf('=');
  const address = text.slice(at + 1);
  if (at > 0 && URL.canParse(address) && /^https?:/i.test(address)) return [text.slice(0, at), address];
  throw new UsageError(
    `--upstream needs a name and an address, not \`${text}\``,
    'For example: openai=https://host/v1',
  );
}

function paceOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const pace = Number(text);
  if (Number.isFinite(pace) && pace >= 0 && pace <= 1000) return pace;
  throw new UsageError(`--pace must be a number from 0 to 1000, not \`${text}\``);
}
