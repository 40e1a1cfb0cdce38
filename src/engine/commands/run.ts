import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { exitCode } from '../../core/cases/runOutcome';
import type { RequestedMode, RunResult } from '../../core/model/run';
import type { Shard } from '../../core/project/shard';
import { escapeInvisible } from '../../core/text/escapeInvisible';
import { inWords } from '../../core/text/notice';
import { casesInShard } from '../cases/casesInShard';
import { findCases } from '../cases/findCases';
import { RecordingNotices } from '../cases/recordingNotices';
import { type RunCaseOptions, runCase, runCases } from '../cases/runCase';
import { UserError } from '../errors/userError';
import { startedByUser } from '../execution/runnableCase';
import { pathOfUser } from '../files/pathOfUser';
import { fromRoot, shownPath } from '../files/projectPaths';
import { NetworkPolicy } from '../network/policy';
import { createRootFinder, findRoot } from '../project/findRoot';
import { createRecorders } from '../recording/openRecorder';
import type { Reporter } from '../reporters/reporter';
import { shardMark } from '../reporters/shardMark';
import type { Terminal } from '../terminal/terminal';
import { type Arguments, command, count, flag, givenFlag, text, UsageError } from './command';
import { keyRing, NETWORK_OPTIONS } from './networkOptions';
import { chosenReporter, reporterOptions } from './reporterOption';
import { SHARD_OPTION, shardOf } from './shardOption';

const MODES = ['replay', 'record', 'live'] as const satisfies readonly RequestedMode[];
const REPORTERS = ['text', 'json', 'junit', 'markdown', 'ndjson'] as const;

const OPTIONS = {
  replay: flag("Serve responses from the case's tape (the default)"),
  record: flag('Call the provider, and replace the tape when the run ends without an error'),
  from: text(
    'N',
    'With --record: replay the interactions before N and record from N on, or from the first drift (--from drift)',
  ),
  live: flag('Call the provider, and leave the tape unchanged'),
  ...SHARD_OPTION,
  jobs: count('N', 'How many cases to run at a time (default: the number of processors)'),
  ...reporterOptions(REPORTERS),
  updateBaselines: flag('Replace baselines that differ with the results of runs without errors'),
  ...NETWORK_OPTIONS,
  failOnDiff: flag('Accepted for compatibility with test-dsl; has no effect, as a difference always fails'),
};
type Given = Arguments<typeof OPTIONS>;

export const runCommand = command({
  usage: '[PATH…] [--replay | --record | --live] [OPTIONS]',
  about: 'Run cases and folders of cases (this folder, if no path is given), and compare them with their baselines',
  options: OPTIONS,
  details: `A PATH is a file, a folder, or FILE#ID: one of the cases of a file that holds several, such as flakestorm.yaml#contract.
A case with scripted responses uses them in every mode. A case fails when an assertion does not hold, when it differs
from its baseline, or when its script or tape has no response left. Artifacts go to .tapedeck/runs/.

  --json             {ok, summary: {total, passed, failed, cancelled, durationMs}, results: [RESULT]}
  --reporter ndjson  one event per line: {type: "started" | "interaction" | "finished" | "summary", …}; finished has the RESULT
  RESULT             {casePath, name, mode, status, durationMs, failures, compared, toolCalls, baselinePath, hasBaseline,
                     outputText?, artifactPath?, comparison?: {matches, differences, ignored?}, baselineUpdated?, recording?, tapeUses?,
                     untapedServers?, interactions?: [{verdict, number?, index?, explanation?}]}; of a difference there is {line};
                     an assertion about steps fails at {step?: {number, index?, tapePath?}}, counted from 0;
                     a failure of kind "replay" has {miss?: {tapePath, kind, line, at, recorded, nearest?, masks}, missingTape?}

Exit codes: 0 all passed; 1 a case failed; 2 a case is invalid; 3 a provider cannot be reached; 4 a request has no
recording; 5 recordings are unused or expired, if the case is configured to fail on that; 130 cancelled.`,
  examples: ['tapedeck run', 'tapedeck run cases/refund.toml --record', 'tapedeck run --reporter junit > report.xml'],
  run,
});

async function run(args: Given, terminal: Terminal): Promise<number> {
  const mode = givenFlag(args.options, MODES) ?? 'replay';
  const from = resumeAt(args, mode);
  const jobs = args.options.jobs ?? availableParallelism();
  const shard = shardOf(args);
  const rootOf = createRootFinder(terminal.cwd);
  const casePaths = await casesInShard(await casesOf(args, terminal), shard, rootOf, terminal);
  const reporter = await loadReporter(
    chosenReporter(args, REPORTERS),
    { total: casePaths.length, rootOf, shard },
    terminal,
  );
  const recorders = createRecorders(terminal.env);
  await noteUnreadSettings(new Set(casePaths.map((path) => rootOf(dirname(path)))), terminal);
  if (mode === 'record') await noteReplacedTapes(casePaths, from.from, rootOf, terminal);
  const started = performance.now();
  const results = await runCases(casePaths, jobs, async (casePath, index) => {
    const root = rootOf(dirname(casePath));
    const network = NetworkPolicy.for(mode, await keyRing(args, terminal, root));
    const options = { root, recorders, mode, network, updateBaseline: args.options.updateBaselines, ...from };
    return runOne(casePath, index, options, reporter, terminal);
  });
  reporter.done(results, Math.round(performance.now() - started));
  return exitCode(results);
}

/** Names the settings of projects that nobody reads. */
async function noteUnreadSettings(roots: Iterable<string>, terminal: Terminal): Promise<void> {
  const { configNotices } = await import('../project/projectConfig');
  for (const root of roots) for (const notice of await configNotices(root)) terminal.note(escapeInvisible(notice));
}

/** Prints before a recording what it replaces, who else uses that, and what it is likely to cost. */
async function noteReplacedTapes(
  casePaths: readonly string[],
  from: RunCaseOptions['from'],
  rootOf: (folder: string) => string,
  terminal: Terminal,
): Promise<void> {
  const notices = new RecordingNotices(from, casePaths.length);
  for (const casePath of casePaths) {
    const root = rootOf(dirname(casePath));
    for (const notice of await notices.of(root, casePath))
      terminal.note(escapeInvisible(`${fromRoot(root, casePath)}: ${notice}`));
  }
  const { total } = notices;
  if (total !== undefined) terminal.note(escapeInvisible(`tapedeck: together ${total}`));
}

/** The interaction to record from; on the command line they are counted from 1. */
function resumeAt(args: Given, mode: RequestedMode): Pick<RunCaseOptions, 'from'> {
  const from = args.options.from;
  if (from === undefined) return {};
  if (mode !== 'record') throw new UsageError('--from requires --record', 'Add --record.');
  if (from === 'drift') return { from };
  if (/^[1-9]\d{0,8}$/.test(from)) return { from: Number(from) - 1 };
  throw new UsageError(
    `--from must be the number of an interaction, not \`${from}\``,
    'Count from 1, or use --from drift.',
  );
}

async function casesOf(args: Given, terminal: Terminal): Promise<readonly string[]> {
  const named = args.positionals.length > 0 ? args.positionals : ['.'];
  const { casePaths, notices } = await findCases(
    named.map((path) => pathOfUser(terminal.cwd, path)),
    (folder) => findRoot(folder, terminal.cwd),
  );
  for (const notice of notices) terminal.note(`tapedeck: ${notice}`);
  if (casePaths.length > 0) return casePaths;
  throw new UserError(
    `there are no cases in ${named.join(', ')}`,
    'A case is a .toml file with a prompt and [llm] or [assert], or a case file of Flakestorm, Loader, CheckAgent or Reyn. Name one, or a folder of cases.',
  );
}

interface ReportedCases {
  readonly total: number;
  /** The root of the project that a folder belongs to. */
  rootOf(folder: string): string;
  readonly shard: Shard | undefined;
}

async function loadReporter(
  name: (typeof REPORTERS)[number],
  { total, rootOf, shard }: ReportedCases,
  terminal: Terminal,
): Promise<Reporter> {
  const rootOfCase = (casePath: string): string => rootOf(dirname(casePath));
  const printMarked = (report: string): void => terminal.print(report + shardMark(shard));
  switch (name) {
    case 'json':
      return (await import('../reporters/reporter')).jsonReporter(terminal.print, rootOfCase, shard);
    case 'ndjson':
      return (await import('../reporters/reporter')).ndjsonReporter(terminal.print, rootOfCase);
    case 'markdown':
      return (await import('../reporters/runMarkdown')).markdownReporter(printMarked, rootOfCase);
    case 'junit':
      return (await import('../reporters/junitReporter')).junitReporter(printMarked, terminal.cwd);
    default:
      return (await import('../reporters/textReporter')).textReporter(terminal, total);
  }
}

async function runOne(
  casePath: string,
  index: number,
  options: Pick<RunCaseOptions, 'root' | 'recorders' | 'mode' | 'network' | 'updateBaseline' | 'from'>,
  reporter: Reporter,
  terminal: Terminal,
): Promise<RunResult> {
  reporter.started?.(index, casePath);
  const result = await runCase(casePath, {
    ...options,
    permitStart: startedByUser,
    signal: terminal.signal,
    ...(reporter.interaction && {
      onInteraction: (interaction: number, summary: string) =>
        reporter.interaction?.(index, casePath, interaction, summary),
    }),
    onNotice: (notice) => terminal.note(`${shownPath(terminal.cwd, casePath)}: ${inWords(notice)}`),
  });
  reporter.finished(index, result);
  return result;
}
