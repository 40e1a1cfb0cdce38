import { statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { casePathOf } from '../../core/project/layout';
import { type Change, pathText } from '../../core/review/change';
import { pendingInRun } from '../../core/review/decision';
import { EXIT } from '../../core/runs/run';
import { fromRoot } from '../project/caseFiles';
import { findCases } from '../project/findCases';
import { findRoot } from '../project/findRoot';
import { type ChangedReview, changedReviews } from '../review/check';
import { acceptInFile, rejectInFile } from '../review/decideFile';
import { restoreRejected } from '../review/restoreRejected';
import { stageAccepted, stageReviewed } from '../review/stageAccepted';
import { acceptCase, notRun, openReview, rejectCase } from '../runs/decisions';
import { counted } from '../runs/describeComparison';
import { type Arguments, type Command, UsageError } from './command';
import type { Terminal } from './terminal';

type Verb = 'accept' | 'reject';

/** What is to be decided, of all that changed. Nothing named is everything. */
interface Wanted {
  readonly ids: readonly string[];
  readonly fields: readonly string[];
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
  'Exit codes: 0 decided, or there was nothing to decide; 2 a case has not been run, or a file could not be read or has changed meanwhile.';

export const acceptCommand: Command = {
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

export const rejectCommand: Command = {
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
  if (args.has(verb === 'accept' ? 'stage' : 'again') && args.positionals.length === 0) return settle(verb, terminal);
  if (args.positionals.length === 0) throw new UsageError('name a case, its artifact, a tape, or a folder of cases');
  const reason = args.text('reason');
  const wanted: Wanted = {
    ids: args.texts('change'),
    fields: args.texts('field'),
    stage: verb === 'accept' && args.has('stage'),
    ...(reason !== undefined && { reason }),
  };
  for (const path of args.positionals) {
    const absolute = resolve(terminal.cwd, path);
    if (isFolder(absolute)) await decideFolder(verb, absolute, wanted, terminal);
    else if (!(await decidePath(verb, absolute, wanted, terminal))) throw notRun(path);
  }
  return EXIT.ok;
}

/** Carries earlier decisions over to git: stages what is accepted, or takes out what is rejected. */
async function settle(verb: Verb, { cwd, paint, print }: Terminal): Promise<number> {
  const root = await findRoot(cwd, cwd);
  const told = (path: string, outcome: string): void => print(`${relative(cwd, join(root, path))}: ${outcome}\n`);
  if (verb === 'reject') {
    const restored = await restoreRejected(root);
    for (const path of restored) told(path, 'put back');
    if (restored.length === 0) print('nothing that was rejected is there again\n');
    return EXIT.ok;
  }
  const { staged, open } = await stageAccepted(root);
  for (const path of staged) told(path, 'staged');
  for (const { path, changes } of open) told(path, paint.dim(`left out: ${counted(changes, 'change')} to decide`));
  if (staged.length === 0) print('nothing to stage\n');
  return EXIT.ok;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** In a folder, a case that has not been run is just not part of it. */
async function decideFolder(verb: Verb, folder: string, wanted: Wanted, terminal: Terminal): Promise<void> {
  const { casePaths, notices } = findCases([folder]);
  for (const notice of notices) terminal.note(`tapedeck: ${notice}`);
  for (const casePath of casePaths) await decidePath(verb, casePath, wanted, terminal);
}

/** False when there is neither a run nor a change to decide about. A path may be a case's own, its artifact's or its baseline's. */
async function decidePath(verb: Verb, path: string, wanted: Wanted, terminal: Terminal): Promise<boolean> {
  const root = await findRoot(dirname(path), terminal.cwd);
  const name = fromRoot(root, path);
  const named = casePathOf(name);
  const inCase = await decideCase(verb, root, named === undefined ? path : join(root, named), wanted, terminal);
  const changed = await changedReviews(root, inCase?.files ?? [name]);
  for (const review of changed) await decideFile(verb, root, review, wanted, terminal);
  const nothing = inCase?.decided !== true && changed.every(({ pending }) => pending.length === 0);
  if (nothing && (inCase !== undefined || changed.length > 0))
    terminal.print(`${relative(terminal.cwd, path)}: ${terminal.paint.dim(`nothing to ${verb}`)}\n`);
  return inCase !== undefined || changed.length > 0;
}

/** Decides about the last run. Undefined when there is none. */
async function decideCase(
  verb: Verb,
  root: string,
  casePath: string,
  wanted: Wanted,
  { cwd, paint, print }: Terminal,
): Promise<{ readonly decided: boolean; readonly files: readonly string[] } | undefined> {
  const review = await openReview(root, casePath);
  if (review === undefined) return undefined;
  const { comparison, decisions, baseline, stamp, files } = review;
  const open = verb === 'accept' ? comparison.changes : pendingInRun(comparison.changes, decisions);
  const chosen = choose(open, wanted);
  const paths = [fromRoot(root, files.baseline)];
  if (chosen.length === 0 && (baseline !== undefined || verb === 'reject')) return { decided: false, files: paths };
  const { reason } = wanted;
  const params = { root, casePath, ids: chosen.map(({ id }) => id), stamp, ...(reason !== undefined && { reason }) };
  await (verb === 'accept' ? acceptCase(params) : rejectCase(params));
  const outcome = verb === 'accept' ? `accepted into ${relative(cwd, files.baseline)}` : 'rejected';
  print(`${relative(cwd, casePath)}: ${paint.bold(titles(chosen) || 'first run')} ${outcome}\n`);
  return { decided: true, files: verb === 'accept' ? paths : [] };
}

/** Decides about what a file has that the last commit has not. */
async function decideFile(
  verb: Verb,
  root: string,
  reviewed: ChangedReview,
  wanted: Wanted,
  { cwd, paint, print }: Terminal,
): Promise<void> {
  const { review, sides } = reviewed;
  const { path } = review;
  const chosen = choose(review.pending, wanted);
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

function choose(changes: readonly Change[], { ids, fields }: Wanted): readonly Change[] {
  if (ids.length === 0 && fields.length === 0) return changes;
  return changes.filter(({ id, place }) => {
    const path = pathText(place.path);
    return (
      ids.includes(id) ||
      fields.some((field) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`))
    );
  });
}

function titles(changes: readonly Change[]): string {
  const named = [...new Set(changes.map(({ title }) => title))];
  return named.length <= 5 ? named.join(', ') : counted(changes.length, 'change');
}
