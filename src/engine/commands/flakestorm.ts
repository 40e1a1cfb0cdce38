import { basename, dirname, join, resolve } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { EXIT_CODES } from '../../core/cases/runOutcome';
import { readChaosProfile } from '../../core/flakestorm/chaos';
import { readFlakestormConfig } from '../../core/flakestorm/config';
import { exportReport, langSmithSession, type SessionFile } from '../../core/flakestorm/exportReport';
import { roundedScore } from '../../core/flakestorm/score';
import { type Json, prettyJson } from '../../core/json/json';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { startedByUser } from '../execution/runnableCase';
import { requireValid } from '../execution/syntheticCase';
import { readText } from '../files/readFile';
import { runCi } from '../flakestorm/ci';
import { LangSmith } from '../flakestorm/langSmith';
import { NetworkPolicy } from '../network/policy';
import { findRoot } from '../project/findRoot';
import { createRecorders } from '../recording/openRecorder';
import { exportRecorded } from '../recording/writeRecorded';
import type { Terminal } from '../terminal/terminal';
import { type Arguments, type CliCommand, UsageError } from './command';
import { keyRing, NETWORK_OPTIONS } from './networkOptions';

export const flakestormCommand: CliCommand = {
  name: 'flakestorm',
  usage: 'ci | export | import [OPTIONS]',
  about: "Score a flakestorm.yaml, or create replay sessions from Flakestorm's reports and from LangSmith",
  options: {
    config: { value: 'FILE', about: 'ci: the configuration (default: flakestorm.yaml)' },
    live: { about: 'ci: call the agent of the configuration instead of replaying its tapes' },
    'min-score': { value: 'N', about: 'ci: the minimum score of each phase and overall, 0 to 1 (default: 0)' },
    profile: { value: 'FILE', about: 'ci: use this chaos profile instead of the chaos in the configuration' },
    'from-report': {
      value: 'FILE',
      about: 'export: a JSON report of `flakestorm run`; its failed mutations become sessions',
    },
    'from-langsmith': { value: 'ID', about: 'import: a LangSmith run' },
    'from-langsmith-project': { value: 'NAME', about: 'import: the runs of a LangSmith project' },
    'filter-status': {
      value: 'STATUS',
      about: 'import: error (the default), warning or all',
      choices: ['error', 'warning', 'all'],
    },
    'date-range': { value: 'RANGE', about: 'import: a range such as last_7_days' },
    'min-latency-ms': { value: 'N', about: 'import: only runs that took longer than N milliseconds' },
    output: { value: 'FOLDER', about: 'export, import: the folder for the sessions (default: replays)' },
    ...NETWORK_OPTIONS,
    json: { about: 'ci: print the scores as JSON' },
  },
  details: `ci exits with 0 when every phase and the weighted overall score reach --min-score and no critical invariant failed,
otherwise with 1. It sends golden prompts unchanged: Tapedeck generates no mutations. import reads LANGSMITH_API_KEY and
LANGSMITH_ENDPOINT.`,
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
};

async function ci(args: Arguments, terminal: Terminal): Promise<number> {
  const path = resolve(terminal.cwd, args.text('config') ?? 'flakestorm.yaml');
  const file = { path, name: args.text('config') ?? 'flakestorm.yaml', text: await readNamedText(path) };
  const config = requireValid(file, readFlakestormConfig(file.text));
  const profile = args.text('profile');
  const root = findRoot(dirname(path), terminal.cwd);
  const recorder = await createRecorders(terminal.env)(root);
  const mode = args.has('live') ? 'live' : 'replay';
  const network = NetworkPolicy.for(mode, await keyRing(args, terminal, root));
  const result = await runCi(config, file, {
    mode,
    minScore: parseScore(args.text('min-score')),
    ...(profile && { chaos: await readChaos(resolve(terminal.cwd, profile), profile) }),
    execute: {
      root,
      casePath: path,
      strict: true,
      permitStart: startedByUser,
      signal: terminal.signal,
      recorder,
      network,
    },
    onPhase: (phase, value) => {
      if (!args.has('json')) terminal.print(`${phase}: ${(value * 100).toFixed(1)}%\n`);
    },
  });
  const { overall, passed, reasons, scores } = recorder.value(result);
  const rounded = Object.fromEntries(Object.entries(scores).map(([phase, score]) => [phase, roundedScore(score)]));
  if (args.has('json'))
    terminal.print(`${prettyJson({ scores: rounded, overall: roundedScore(overall), passed, reasons })}\n`);
  else terminal.print(`overall: ${(overall * 100).toFixed(1)}%\n${reasons.map((reason) => `  ${reason}\n`).join('')}`);
  return passed ? EXIT_CODES.ok : EXIT_CODES.failed;
}

function parseScore(text = '0'): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 1)) throw new UsageError(`--min-score must be from 0 to 1, not \`${text}\``);
  return value;
}

async function readChaos(path: string, name: string) {
  const text = await readNamedText(path);
  return requireValid({ path, name, text }, readChaosProfile(text)).chaos;
}

async function exportSessions(args: Arguments, terminal: Terminal): Promise<number> {
  const named = args.text('from-report');
  if (named === undefined) throw new UsageError('export needs --from-report FILE');
  const sessions = exportReport(parseReport(await readNamedText(resolve(terminal.cwd, named)), named));
  if (sessions.length === 0) terminal.note(`tapedeck: no mutation failed in ${named}`);
  return writeSessions(sessions, args, terminal);
}

async function importSessions(args: Arguments, terminal: Terminal): Promise<number> {
  const root = findRoot(terminal.cwd, terminal.cwd);
  const langSmith = new LangSmith(NetworkPolicy.for('live', await keyRing(args, terminal, root)));
  const id = args.text('from-langsmith');
  const project = args.text('from-langsmith-project');
  if ((id === undefined) === (project === undefined))
    throw new UsageError('import needs --from-langsmith ID or --from-langsmith-project NAME');
  const dateRange = args.text('date-range');
  const latency = args.text('min-latency-ms');
  const filter = {
    status: args.text('filter-status') ?? 'error',
    ...(dateRange && { dateRange }),
    ...(latency && { minLatencyMs: Number(latency) }),
  };
  const runs =
    id === undefined ? await langSmith.project({ project: project ?? '', ...filter }) : [await langSmith.run(id)];
  return writeSessions(runs.map(langSmithSession), args, terminal);
}

async function writeSessions(sessions: readonly SessionFile[], args: Arguments, terminal: Terminal): Promise<number> {
  const folder = resolve(terminal.cwd, args.text('output') ?? 'replays');
  const recorder = await createRecorders(terminal.env)(await findRoot(terminal.cwd, terminal.cwd));
  for (const { name, text } of sessions) {
    const path = join(folder, basename(name));
    await exportRecorded(path, recorder.textReport(text));
    terminal.print(`${path}\n`);
  }
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

async function readNamedText(path: string): Promise<string> {
  try {
    return await readText(path, FILE_LIMITS.artifact);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(`${path}: ${systemReason(error)}`, 'Correct the path.');
  }
}
