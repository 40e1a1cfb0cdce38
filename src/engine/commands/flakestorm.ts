import { basename, dirname, join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { EXIT_CODES } from '../../core/cases/runOutcome';
import { readChaosProfile } from '../../core/flakestorm/chaos';
import { readFlakestormConfig } from '../../core/flakestorm/config';
import { exportReport, langSmithSession, type SessionFile } from '../../core/flakestorm/exportReport';
import { percentText, roundedScore } from '../../core/flakestorm/score';
import type { Json } from '../../core/json/json';
import { UserError } from '../errors/userError';
import { startedByUser } from '../execution/runnableCase';
import { requireValid } from '../execution/syntheticCase';
import { pathOfUser } from '../files/pathOfUser';
import { projectPath, shownPath } from '../files/projectPaths';
import { runCi } from '../flakestorm/ci';
import { LangSmith, startOf } from '../flakestorm/langSmith';
import { NetworkPolicy } from '../network/policy';
import { findRoot } from '../project/findRoot';
import { createRecorders } from '../recording/openRecorder';
import { readNamedFile } from '../recording/recordedFile';
import { exportRecorded } from '../recording/writeRecorded';
import { jsonDocument } from '../reporters/jsonDocument';
import type { FlakestormDocument, SessionsDocument } from '../reporters/jsonDocuments';
import type { Terminal } from '../terminal/terminal';
import { type Arguments, choice, command, count, flag, JSON_OUTPUT, text, UsageError } from './command';
import { keyRing, NETWORK_OPTIONS } from './networkOptions';

const OPTIONS = {
  config: text('FILE', 'ci: the configuration (default: flakestorm.yaml)'),
  live: flag('ci: call the agent of the configuration instead of replaying its tapes'),
  minScore: text('N', 'ci: the minimum score of each phase and overall, 0 to 1 (default: 0)'),
  profile: text('FILE', 'ci: add the faults of this chaos profile to those of the configuration'),
  fromReport: text(
    'FILE',
    'export: a JSON report of `flakestorm run` (- is stdin); its failed mutations become sessions',
  ),
  fromLangsmith: text('ID', 'import: a LangSmith run'),
  fromLangsmithProject: text('NAME', 'import: the runs of a LangSmith project'),
  filterStatus: choice('STATUS', ['error', 'warning', 'all'], 'import: error (the default), warning or all'),
  dateRange: text('RANGE', 'import: a range such as last_7_days'),
  minLatencyMs: count('N', 'import: only runs that took longer than N milliseconds'),
  output: text('FOLDER', 'export, import: the folder for the sessions (default: replays)'),
  ...NETWORK_OPTIONS,
  json: JSON_OUTPUT,
};
type Given = Arguments<typeof OPTIONS>;

export const flakestormCommand = command({
  usage: 'ci | export | import [OPTIONS]',
  about: "Score a flakestorm.yaml, or create replay sessions from Flakestorm's reports and from LangSmith",
  options: OPTIONS,
  details: `ci exits with 0 when every phase and the weighted overall score reach --min-score and no critical invariant failed,
otherwise with 1. It sends golden prompts unchanged: Tapedeck generates no mutations. import reads LANGSMITH_API_KEY and
LANGSMITH_ENDPOINT.

  --json  ci: {ok, scores: {PHASE: number}, overall, passed, reasons}; export, import: {ok, sessions: [path]}

Exit codes: 0 all good; 1 a score is too low; 2 a file or an option is invalid; 3 an agent or LangSmith cannot be reached;
4 a request has no recording; 130 cancelled.`,
  examples: [
    'tapedeck flakestorm ci --min-score 0.8',
    'tapedeck flakestorm export --from-report reports/run.json',
    'tapedeck flakestorm import --from-langsmith-project support --date-range last_7_days',
  ],
  run(args, terminal) {
    const [action, ...more] = args.positionals;
    if (more.length > 0) throw new UsageError(`too many arguments: ${more.join(' ')}`);
    if (action === 'ci') return ci(args, terminal);
    if (action === 'export') return exportSessions(args, terminal);
    if (action === 'import') return importSessions(args, terminal);
    throw new UsageError('name an action: ci, export or import');
  },
});

async function ci(args: Given, terminal: Terminal): Promise<number> {
  const name = args.options.config ?? 'flakestorm.yaml';
  const path = pathOfUser(terminal.cwd, name);
  const file = { path, name, text: await readNamedText(name, terminal) };
  const config = requireValid(file, () => readFlakestormConfig(file.text));
  const profile = args.options.profile;
  const root = findRoot(dirname(path), terminal.cwd);
  const recorder = await createRecorders(terminal.env)(root);
  const mode = args.options.live ? 'live' : 'replay';
  const network = NetworkPolicy.for(mode, await keyRing(args, terminal, root));
  const result = await runCi(config, file, {
    mode,
    minScore: parseScore(args.options.minScore),
    ...(profile && { chaos: await readChaos(profile, terminal) }),
    execute: {
      root,
      casePath: path,
      permitStart: startedByUser,
      signal: terminal.signal,
      recorder,
      network,
    },
    onPhase: (phase, value) => {
      if (!args.options.json) terminal.print(`${phase}: ${percentText(value * 100)}\n`);
    },
  });
  const { overall, passed, reasons, scores } = recorder.value(result);
  const rounded = Object.fromEntries(Object.entries(scores).map(([phase, score]) => [phase, roundedScore(score)]));
  if (args.options.json)
    terminal.print(
      jsonDocument<FlakestormDocument>(passed, { scores: rounded, overall: roundedScore(overall), passed, reasons }),
    );
  else terminal.print(`overall: ${percentText(overall * 100)}\n${reasons.map((reason) => `  ${reason}\n`).join('')}`);
  return passed ? EXIT_CODES.ok : EXIT_CODES.failed;
}

function parseScore(text = '0'): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 1)) throw new UsageError(`--min-score must be from 0 to 1, not \`${text}\``);
  return value;
}

async function readChaos(name: string, terminal: Terminal) {
  const text = await readNamedText(name, terminal);
  return requireValid({ path: pathOfUser(terminal.cwd, name), name, text }, () => readChaosProfile(text)).chaos;
}

async function exportSessions(args: Given, terminal: Terminal): Promise<number> {
  const named = args.options.fromReport;
  if (named === undefined) throw new UsageError('export needs --from-report FILE');
  const sessions = exportReport(parseReport(await readNamedText(named, terminal), named));
  if (sessions.length === 0) terminal.note(`tapedeck: no mutation failed in ${named}`);
  return writeSessions(sessions, args, terminal);
}

async function importSessions(args: Given, terminal: Terminal): Promise<number> {
  const root = findRoot(terminal.cwd, terminal.cwd);
  const id = args.options.fromLangsmith;
  const project = args.options.fromLangsmithProject;
  if ((id === undefined) === (project === undefined))
    throw new UsageError('import needs --from-langsmith ID or --from-langsmith-project NAME');
  const dateRange = args.options.dateRange;
  if (dateRange !== undefined && startOf(dateRange, new Date()) === undefined)
    throw new UsageError(`--date-range is a number of hours, days or weeks, such as last_7_days, not \`${dateRange}\``);
  const latency = args.options.minLatencyMs;
  const filter = {
    status: args.options.filterStatus ?? 'error',
    ...(dateRange && { dateRange }),
    ...(latency && { minLatencyMs: latency }),
  };
  const langSmith = new LangSmith(NetworkPolicy.for('live', await keyRing(args, terminal, root)));
  const runs =
    id === undefined ? await langSmith.project({ project: project ?? '', ...filter }) : [await langSmith.run(id)];
  return writeSessions(runs.map(langSmithSession), args, terminal);
}

async function writeSessions(sessions: readonly SessionFile[], args: Given, terminal: Terminal): Promise<number> {
  const folder = pathOfUser(terminal.cwd, args.options.output ?? 'replays');
  const root = findRoot(terminal.cwd, terminal.cwd);
  const recorder = await createRecorders(terminal.env)(root);
  const written: string[] = [];
  for (const { name, text } of sessions) {
    const path = join(folder, basename(name));
    await exportRecorded(path, recorder.textReport(text));
    written.push(path);
    if (!args.options.json) terminal.print(`${shownPath(terminal.cwd, path)}\n`);
  }
  if (args.options.json)
    terminal.print(jsonDocument<SessionsDocument>(true, { sessions: written.map((path) => projectPath(root, path)) }));
  return EXIT_CODES.ok;
}

function parseReport(text: string, name: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new UserError(
      `${name} is not JSON`,
      'Set `format: json` under `output:` in flakestorm.yaml, and run Flakestorm again.',
    );
  }
}

async function readNamedText(path: string, { cwd }: Terminal): Promise<string> {
  return (await readNamedFile(path, cwd, FILE_LIMITS.artifact)).text();
}
