import { dirname, join, relative, resolve } from 'node:path';
import { EXIT_CODES } from '../../core/cases/runOutcome';
import type { Change } from '../../core/model/change';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { owningCasePath } from '../../core/project/layout';
import { pendingInRun } from '../../core/review/decisions';
import { findCases } from '../cases/findCases';
import { UserError } from '../errors/userError';
import { fileExists, isFolder } from '../files/fileStatus';
import { fromRoot } from '../files/projectPaths';
import { findRoot } from '../project/findRoot';
import { type ChangedReview, changedReviews } from '../review/changedReviews';
import { acceptInFile, reapplyRejections, rejectInFile } from '../review/decideFile';
import { acceptRun, notRunError, openRunReview, rejectRun } from '../review/runReview';
import { stageAccepted, stageReviewed } from '../review/staging';
import type { Terminal } from '../terminal/terminal';
import { quantity } from '../terminal/visibleText';
import { type ChangeSelection, isSelective, requireKnown, selectChanges } from './changeSelection';
import { type Arguments, type CliCommand, UsageError } from './command';

type Verb = 'accept' | 'reject';

interface DecideOptions extends ChangeSelection {
  readonly reason?: string;
  readonly stage: boolean;
}

const OPTIONS = {
  change: {
    value: 'ID',
    about: 'Only this change, by its id in `check --reporter json` or `diff --json`',
    multiple: true,
  },
  field: { value: 'NAME', about: 'Only what is in this field, such as output_text or tool_calls[0]', multiple: true },
  reason: { value: 'TEXT', about: 'Why; kept with the decision' },
} as const;

const EXITS =
  'Exit codes: 0 decided, or there was nothing to decide; 2 a case has not been run, a named change is none, or a file could not be read or has changed meanwhile.';

export const acceptCommand: CliCommand = {
  name: 'accept',
  usage: '[PATH…] [--change ID]… [--field NAME]… [--reason TEXT] [--stage]',
  about: 'Take changes: those of the last run into the baseline; those of a tape or baseline, as they are in the file',
  options: {
    ...OPTIONS,
    stage: {
      about: 'Then put the file into git’s index; without a PATH: every file that is accepted, and nothing else',
    },
  },
  details: `A PATH is a case, its artifact or baseline, a tape, or a folder of cases.\n\n${EXITS}`,
  examples: [
    'tapedeck accept cases/refund.toml',
    'tapedeck accept tapes/refund.tape.json --stage',
    'tapedeck accept --stage',
  ],
  run: (args, terminal) => decide('accept', args, terminal),
};

export const rejectCommand: CliCommand = {
  name: 'reject',
  usage: 'PATH… [--change ID]… [--field NAME]… [--reason TEXT] | --again',
  about:
    'Refuse changes: the baseline stays without those of the last run; a tape or baseline is put back to the last commit',
  options: { ...OPTIONS, again: { about: 'Of all files: take out what was rejected before and is there again' } },
  details: `A PATH is a case, its artifact or baseline, a tape, or a folder of cases. What a file held before is kept in .tapedeck/takes/.\n\n${EXITS}`,
  examples: ['tapedeck reject cases/refund.toml', 'tapedeck reject tapes/refund.tape.json --reason "wrong model"'],
  run: (args, terminal) => decide('reject', args, terminal),
};

async function decide(verb: Verb, args: Arguments, terminal: Terminal): Promise<number> {
  if (args.has(verb === 'accept' ? 'stage' : 'again') && args.positionals.length === 0)
    return stageOrReapply(verb, terminal);
  if (args.positionals.length === 0) throw new UsageError('name a case, its artifact, a tape, or a folder of cases');
  const reason = args.text('reason');
  const wanted: DecideOptions = {
    ids: args.texts('change'),
    fields: args.texts('field'),
    stage: verb === 'accept' && args.has('stage'),
    ...(reason !== undefined && { reason }),
  };
  const targets = args.positionals.flatMap((path) => targetsOf(path, terminal));
  if (isSelective(wanted)) requireKnown(await changesOf(targets, terminal), wanted);
  for (const target of targets) {
    const isThere = await decideTarget(verb, target, wanted, terminal);
    if (!isThere && target.named !== undefined) throw nothingToDecideError(target.path, target.named);
  }
  return EXIT_CODES.ok;
}

/** What a decision is about: a case, or a file that is reviewed. */
interface Target {
  /** Absolute. It may be a case's own, its artifact's or its baseline's. */
  readonly path: string;
  /** As it was typed; absent for a case of a folder, which is just not part of it when it has not been run. */
  readonly named?: string;
}

function targetsOf(named: string, { cwd, note }: Terminal): readonly Target[] {
  const path = resolve(cwd, named);
  if (!isFolder(path)) return [{ path, named }];
  const { casePaths, notices } = findCases([path]);
  for (const notice of notices) note(`tapedeck: ${notice}`);
  return casePaths.map((casePath) => ({ path: casePath }));
}

function nothingToDecideError(path: string, named: string): UserError {
  if (fileExists(parseCaseAddress(path).path)) return notRunError(named);
  return new UserError(`${named}: there is no such case`, 'Name a case, its artifact, a tape, or a folder of cases.');
}

/** Carries earlier decisions over to git: stages what is accepted, or takes out what is rejected. */
async function stageOrReapply(verb: Verb, { cwd, paint, print }: Terminal): Promise<number> {
  const root = await findRoot(cwd, cwd);
  const told = (path: string, outcome: string): void => print(`${relative(cwd, join(root, path))}: ${outcome}\n`);
  if (verb === 'reject') {
    const restored = await reapplyRejections(root);
    for (const path of restored) told(path, 'put back');
    if (restored.length === 0) print('nothing that was rejected is there again\n');
    return EXIT_CODES.ok;
  }
  const { staged, open } = await stageAccepted(root);
  for (const path of staged) told(path, 'staged');
  for (const { path, changes } of open) told(path, paint.dim(`left out: ${quantity(changes, 'change')} to decide`));
  if (staged.length === 0) print('nothing to stage\n');
  return EXIT_CODES.ok;
}

async function locate({ path }: Target, { cwd }: Terminal) {
  const root = await findRoot(dirname(path), cwd);
  const name = fromRoot(root, path);
  const ofCase = owningCasePath(name);
  return { root, name, casePath: ofCase === undefined ? path : join(root, ofCase) };
}

/** All that could be decided about, decided or not. */
async function changesOf(targets: readonly Target[], terminal: Terminal): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for (const target of targets) {
    const { root, name, casePath } = await locate(target, terminal);
    const run = await openRunReview(root, casePath);
    const files = await changedReviews(root, run === undefined ? [name] : [fromRoot(root, run.files.baseline)]);
    changes.push(...(run?.comparison.changes ?? []), ...files.flatMap(({ review }) => review.changes));
  }
  return changes;
}

/** False when there is neither a run nor a change to decide about. */
async function decideTarget(verb: Verb, target: Target, wanted: DecideOptions, terminal: Terminal): Promise<boolean> {
  const { root, name, casePath } = await locate(target, terminal);
  const inCase = await decideCase(verb, root, casePath, wanted, terminal);
  const changed = await changedReviews(root, inCase?.files ?? [name]);
  let decided = inCase?.decided ?? false;
  for (const one of changed) {
    const { changes, pending } = one.review;
    // What was accepted is in the file. To reject it takes it out again, where it is named, or where nothing else is left.
    const again =
      isSelective(wanted) || (target.named !== undefined && one.review.path === name && pending.length === 0);
    const chosen = selectChanges(verb === 'reject' && again ? changes : pending, wanted);
    await decideFile(verb, root, one, chosen, wanted, terminal);
    decided ||= chosen.length > 0;
  }
  const isThere = inCase !== undefined || changed.length > 0;
  if (isThere && !decided)
    terminal.print(`${relative(terminal.cwd, target.path)}: ${terminal.paint.dim(`nothing to ${verb}`)}\n`);
  return isThere;
}

/** Decides about the last run. Undefined when there is none. */
async function decideCase(
  verb: Verb,
  root: string,
  casePath: string,
  wanted: DecideOptions,
  { cwd, paint, print }: Terminal,
): Promise<{ readonly decided: boolean; readonly files: readonly string[] } | undefined> {
  const review = await openRunReview(root, casePath);
  if (review === undefined) return undefined;
  const { comparison, decisions, baseline, stamp, files } = review;
  const open = verb === 'accept' ? comparison.changes : pendingInRun(comparison.changes, decisions);
  const chosen = selectChanges(open, wanted);
  const paths = [fromRoot(root, files.baseline)];
  if (chosen.length === 0 && (baseline !== undefined || verb === 'reject')) return { decided: false, files: paths };
  const { reason } = wanted;
  const params = { root, casePath, ids: chosen.map(({ id }) => id), stamp, ...(reason !== undefined && { reason }) };
  await (verb === 'accept' ? acceptRun(params) : rejectRun(params));
  const outcome = verb === 'accept' ? `accepted into ${relative(cwd, files.baseline)}` : 'rejected';
  print(`${relative(cwd, casePath)}: ${paint.bold(titles(chosen) || 'first run')} ${outcome}\n`);
  return { decided: true, files: verb === 'accept' ? paths : [] };
}

/** Decides about what a file has that the last commit has not. */
async function decideFile(
  verb: Verb,
  root: string,
  reviewed: ChangedReview,
  chosen: readonly Change[],
  wanted: DecideOptions,
  { cwd, paint, print }: Terminal,
): Promise<void> {
  const { sides } = reviewed;
  const { path } = reviewed.review;
  const ids = chosen.map(({ id }) => id);
  const name = relative(cwd, join(root, path));
  const params = { root, path, sides, ids, ...(wanted.reason !== undefined && { reason: wanted.reason }) };
  if (ids.length > 0) {
    await (verb === 'accept' ? acceptInFile(params) : rejectInFile(params));
    print(`${name}: ${paint.bold(titles(chosen))} ${verb === 'accept' ? 'accepted' : 'put back'}\n`);
  }
  if (wanted.stage) {
    await stageReviewed(root, [reviewed]);
    print(`${name}: staged\n`);
  }
}

function titles(changes: readonly Change[]): string {
  const named = [...new Set(changes.map(({ title }) => title))];
  return named.length <= 5 ? named.join(', ') : quantity(changes.length, 'change');
}
