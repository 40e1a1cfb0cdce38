import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import type { AdoptedTrial, TrialPlan } from '../../contracts/engine/trials';
import { EXIT_CODES } from '../../core/cases/runOutcome';
import type { Trial } from '../../core/model/trial';
import { formatDatedCost } from '../../core/prices/formatRetakeCost';
import { parseCaseAddress } from '../../core/project/caseAddress';
import type { Shard } from '../../core/project/shard';
import { grouped, plural } from '../../core/text/counts';
import { escapeInvisible } from '../../core/text/escapeInvisible';
import { inWords } from '../../core/text/notice';
import { casesInShard } from '../cases/casesInShard';
import { findCases } from '../cases/findCases';
import { UserError } from '../errors/userError';
import { pathOfUser } from '../files/pathOfUser';
import { NetworkPolicy } from '../network/policy';
import { createRootFinder } from '../project/findRoot';
import { createRecorders } from '../recording/openRecorder';
import { jsonDocument } from '../reporters/jsonDocument';
import type { AdoptionDocument } from '../reporters/jsonDocuments';
import { shardMark } from '../reporters/shardMark';
import { trialMarkdown } from '../reporters/trialMarkdown';
import { trialExitCode, trialJson, trialJunit, trialText } from '../reporters/trialReport';
import { ProgressLine } from '../terminal/progress';
import type { Terminal } from '../terminal/terminal';
import { type OpenedTrial, openTrial } from '../trials/openTrial';
import { planTrial } from '../trials/planTrial';
import { recordTrial } from '../trials/recordTrial';
import { type Arguments, command, count, flag, text, texts, UsageError } from './command';
import { keyRing, NETWORK_OPTIONS } from './networkOptions';
import { chosenReporter, reporterOptions } from './reporterOption';
import { SHARD_OPTION, shardOf } from './shardOption';

const DEFAULT_SAMPLES = 5;
const REPORTERS = ['text', 'json', 'markdown', 'junit'] as const;

const OPTIONS = {
  model: texts('MODEL', "A model of the case's provider, by the provider's name for it"),
  samples: count('N', `The number of recordings of each case with each model (default: ${DEFAULT_SAMPLES})`, 'n'),
  again: flag('Record every sample again, even if an earlier trial has it'),
  retryErrors: flag('Record the samples that ended in an error again'),
  adopt: text(
    'MODEL',
    'Make the recordings with this model the tapes of the cases, replay them, and leave the rest to the review',
  ),
  dryRun: flag('Only print what would be recorded, and about what it would cost'),
  ...SHARD_OPTION,
  jobs: count('N', 'How many samples to record at a time (default: the number of processors)'),
  ...reporterOptions(REPORTERS),
  ...NETWORK_OPTIONS,
};
type Given = Arguments<typeof OPTIONS>;

export const trialCommand = command({
  usage: '[PATH…] --model MODEL [--model MODEL] [-n N] [OPTIONS] | [PATH…] --adopt MODEL',
  about: 'Record cases several times with other models, leaving their tapes unchanged, and compare the models',
  options: OPTIONS,
  details: `Each case calls its own provider, or the one in tapedeck.toml; only the name of the model changes. For a gateway, use its names,
such as anthropic/claude-sonnet-4-5. Cases whose responses are written in them are skipped. For your own agent, the proxy replaces
the model in its requests, and TAPEDECK_MODEL names it.
Samples are kept in .tapedeck/trials/, so a trial that was stopped continues when you start it again, and a case that has
changed is recorded again. Several processes share the work. Tapes, baselines and last runs stay unchanged.
A sample passes when every assertion of the case holds. Changes are counted against the case's baseline, or against
its tape if it has none. The numbers of a cell are medians, with the first and third quartiles.

--adopt makes one recording of each case its tape: among those that passed, the one with the median number of changes. The
replaced tape is kept as a take. A case that names another model is changed to this one; for your own agent, TAPEDECK_MODEL is
set under [agent.env]. Then the case is replayed; if that fails, its tape is restored. The changes are pending in tapedeck check
and in the editor.

  --json  {ok, models, samples, baselineModel?, isComplete, totals: [{model, passed, errors, of, passRate?, changes?, tokens?,
          dollars?, durationMs?, totalDollars?}], cases: [{casePath, name, tapePath?, tapeModel?, sampled?, refusal?, isInvalid?}],
          cells: [{casePath, model, needed, summary: {passed, errors, of, passRate?, changes?, tokens?, dollars?, durationMs?},
          samples: [{sample, verdict: "passed" | "failed" | "error", failure?, failureKind?, changes?,
          compared?: {before, after}, tokens?: {prompt, completion, cached?}, dollars?, durationMs, tapePath?, artifactPath?}]}]}
          changes, tokens, dollars and durationMs of a summary are {median, low, high}; samples count from 1.
          With --adopt: {ok, adopted: [{casePath, tapePath, samples, wroteModel?}], refused: [{casePath, reason}]}

Exit codes: 0 every case passed with every model, as often as required; 1 one did not; 2 a case is invalid;
3 a provider cannot be reached; 130 cancelled.`,
  examples: [
    'tapedeck trial cases/ --model gpt-4o-mini --model gpt-4.1 -n 5',
    'tapedeck trial cases/refund.toml --model gpt-5-mini --reporter markdown > trial.md',
  ],
  run,
});

async function run(args: Given, terminal: Terminal): Promise<number> {
  const models = args.options.model;
  const adopted = args.options.adopt;
  const samples = args.options.samples ?? DEFAULT_SAMPLES;
  const jobs = args.options.jobs ?? availableParallelism();
  const shard = shardOf(args);
  const reporter = chosenReporter(args, REPORTERS);
  if (adopted !== undefined) return adopt(adopted, models, args, terminal);
  if (models.length === 0) throw new UsageError('name a model', 'For example: --model gpt-4o-mini');
  if (args.options.again && args.options.retryErrors)
    throw new UsageError('--again and --retry-errors cannot be combined', '--again records errors again as well.');
  const { root, casePaths } = await casesOf(args, shard, terminal);
  const network = NetworkPolicy.for('record', await keyRing(args, terminal, root));
  const params = { root, casePaths, models, samples };
  const opened = await openTrial(root, params);
  requireSomething(opened);
  const plan = await planTrial(opened);
  tellPlan(plan, terminal);
  if (args.options.dryRun) return EXIT_CODES.ok;
  const line = new ProgressLine(terminal);
  const trial = await recordTrial(params, {
    jobs,
    ...(args.options.again && { again: 'all' as const }),
    ...(args.options.retryErrors && { again: 'errors' as const }),
    signal: terminal.signal,
    recorder: await createRecorders(terminal.env)(root),
    network,
    onEvent: ({ casePath, model, sample, done, of }) =>
      line.show(`recording, ${done} of ${of} done: ${escapeInvisible(`${casePath}, ${model}, sample ${sample}`)}`),
    onNotice: (notice) => terminal.note(escapeInvisible(inWords(notice))),
  });
  line.end();
  print(trial, reporter, shard, terminal);
  return terminal.signal.aborted ? EXIT_CODES.cancelled : trialExitCode(trial);
}

async function adopt(model: string, models: readonly string[], args: Given, terminal: Terminal): Promise<number> {
  if (models.length > 0) throw new UsageError('--adopt and --model cannot be combined', 'Adopt what is recorded.');
  const { root, casePaths } = await casesOf(args, shardOf(args), terminal);
  const { adoptTrial } = await import('../trials/adoptTrial');
  const network = NetworkPolicy.for('replay', await keyRing(args, terminal, root));
  const { adopted, refused } = await adoptTrial({ root, model, casePaths }, { signal: terminal.signal, network });
  if (args.options.json) terminal.print(jsonDocument<AdoptionDocument>(refused.length === 0, { adopted, refused }));
  else terminal.print(adoptedText({ adopted, refused }));
  return refused.length === 0 ? EXIT_CODES.ok : EXIT_CODES.failed;
}

function adoptedText({ adopted, refused }: AdoptedTrial): string {
  const lines = [
    ...adopted.map(({ casePath, tapePath, samples, wroteModel }) => {
      const more = wroteModel ? ', and the model of the case is changed' : '';
      const which = samples.length === 1 ? 'sample' : 'samples';
      return `${casePath}: ${which} ${samples.join(', ')} ${samples.length === 1 ? 'is' : 'are'} ${tapePath}${more}`;
    }),
    ...refused.map(({ casePath, reason }) => `${casePath}: not adopted: ${reason}`),
  ];
  const review = adopted.length === 0 ? [] : ['To see what changed: tapedeck check'];
  return `${[...lines.map(escapeInvisible), ...review].join('\n')}\n`;
}

function print(trial: Trial, reporter: (typeof REPORTERS)[number], shard: Shard | undefined, terminal: Terminal): void {
  const reports = {
    text: () => trialText(trial, terminal.paint),
    json: () => trialJson(trial, shard),
    markdown: () => trialMarkdown(trial) + shardMark(shard),
    junit: () => trialJunit(trial) + shardMark(shard),
  };
  terminal.print(reports[reporter]());
}

/** The cases that are named, of one project: its trials are kept together. */
async function casesOf(args: Given, shard: Shard | undefined, terminal: Terminal) {
  const named = args.positionals.length > 0 ? args.positionals : ['.'];
  const rootOf = createRootFinder(terminal.cwd);
  const paths = named.map((path) => pathOfUser(terminal.cwd, path));
  const { casePaths, notices } = await findCases(paths, rootOf);
  for (const notice of notices) terminal.note(`tapedeck: ${notice}`);
  const [first] = casePaths;
  if (first === undefined)
    throw new UserError(`there are no cases in ${named.join(', ')}`, 'Name a case, or a folder of cases.');
  const root = rootOf(dirname(parseCaseAddress(first).path));
  const other = casePaths.find((casePath) => rootOf(dirname(parseCaseAddress(casePath).path)) !== root);
  if (other !== undefined)
    throw new UserError(
      `${first} and ${other} belong to different projects`,
      'Try the cases of one project at a time.',
    );
  return { root, casePaths: await casesInShard(casePaths, shard, () => root, terminal) };
}

/** Rejects a trial whose cases are all left out. An empty shard and invalid cases are in the report. */
function requireSomething({ cases }: OpenedTrial): void {
  const [first] = cases;
  if (first?.refusal === undefined || cases.some(({ refusal, isInvalid }) => refusal === undefined || isInvalid))
    return;
  const reason = first.refusal.startsWith(first.casePath) ? first.refusal : `${first.casePath}: ${first.refusal}`;
  const more = cases.length === 1 ? '' : `, and ${plural(cases.length - 1, 'other case')} likewise`;
  throw new UserError(`nothing can be tried: ${reason}${more}`, 'Name cases with a tape and a provider.');
}

/** Prints before a trial what it records, and about what that costs. */
function tellPlan({ samples, kept, perModel, notices }: TrialPlan, { note }: Terminal): void {
  const missing = samples - kept;
  const there = kept === 0 ? '' : `, ${grouped(kept)} already recorded`;
  note(`tapedeck: ${plural(missing, 'recording')} to make${there}`);
  for (const one of perModel) {
    if (one.samples === 0) continue;
    const cost = one.calls === 0 ? '' : `: ${formatDatedCost(one)}`;
    note(`  ${escapeInvisible(`${one.model}: ${plural(one.samples, 'recording')}${cost}`)}`);
  }
  for (const notice of notices) note(`  ${escapeInvisible(inWords(notice))}`);
}
