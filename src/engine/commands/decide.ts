import { statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { casePathOf } from '../../core/project/layout';
import { REVIEW_FIELDS } from '../../core/runs/compareArtifacts';
import { EXIT } from '../../core/runs/run';
import { fromRoot } from '../project/caseFiles';
import { findCases } from '../project/findCases';
import { findRoot } from '../project/findRoot';
import { acceptCase, notRun, openReview, rejectCase } from '../runs/decisions';
import { type Arguments, type Command, UsageError } from './command';
import type { Terminal } from './terminal';

type Verb = 'accept' | 'reject';

const FIELD = {
  value: 'NAME',
  about: 'Only this field, such as output_text; may be given more than once',
  multiple: true,
} as const;

export const acceptCommand: Command = {
  name: 'accept',
  usage: 'PATH… [--field NAME]…',
  about: 'Make what changed in the last run of cases their baseline; a PATH is a case, its artifact, or a folder',
  options: { field: FIELD },
  details:
    'Exit codes: 0 decided, or there was nothing to decide; 2 a case has not been run, or a file could not be read.',
  examples: ['tapedeck accept cases/refund.toml', 'tapedeck accept cases --field output_text'],
  run: (args, terminal) => decide('accept', args, terminal),
};

export const rejectCommand: Command = {
  name: 'reject',
  usage: 'PATH… [--field NAME]…',
  about: 'Mark what changed in the last run of cases as not wanted: the baseline stays, and nothing asks again',
  options: { field: FIELD },
  details:
    'Exit codes: 0 decided, or there was nothing to decide; 2 a case has not been run, or a file could not be read.',
  examples: ['tapedeck reject cases/refund.toml'],
  run: (args, terminal) => decide('reject', args, terminal),
};

async function decide(verb: Verb, args: Arguments, terminal: Terminal): Promise<number> {
  if (args.positionals.length === 0) throw new UsageError('name a case, its artifact, or a folder of cases');
  const wanted = args.texts('field').map(checkedField);
  for (const path of args.positionals) {
    const absolute = resolve(terminal.cwd, path);
    if (isFolder(absolute)) await decideFolder(verb, absolute, wanted, terminal);
    else if (!(await decideCase(verb, await caseAt(absolute, terminal.cwd), wanted, terminal))) throw notRun(path);
  }
  return EXIT.ok;
}

function checkedField(field: string): string {
  const known = REVIEW_FIELDS.map(([name]) => name);
  if (known.includes(field)) return field;
  throw new UsageError(`there is no field \`${field}\``, `The fields are ${known.join(', ')}.`);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** A path may be the case's own, its artifact's or its baseline's. */
async function caseAt(path: string, cwd: string): Promise<string> {
  const root = await findRoot(dirname(path), cwd);
  const named = casePathOf(fromRoot(root, path));
  return named === undefined ? path : join(root, named);
}

/** In a folder, a case that has not been run is just not part of it. */
async function decideFolder(verb: Verb, folder: string, wanted: readonly string[], terminal: Terminal): Promise<void> {
  const { casePaths, notices } = findCases([folder]);
  for (const notice of notices) terminal.note(`tapedeck: ${notice}`);
  for (const casePath of casePaths) await decideCase(verb, casePath, wanted, terminal);
}

/** Decides about all that changed, or the wanted fields of it. False when the case has not been run. */
async function decideCase(
  verb: Verb,
  casePath: string,
  wanted: readonly string[],
  terminal: Terminal,
): Promise<boolean> {
  const { cwd, paint, print } = terminal;
  const root = await findRoot(dirname(casePath), cwd);
  const review = await openReview(root, casePath);
  if (review === undefined) return false;
  const changed = review.changes.map(({ field }) => field);
  const fields = wanted.length === 0 ? changed : changed.filter((field) => wanted.includes(field));
  const name = relative(cwd, casePath);
  if (fields.length === 0) {
    print(`${name}: ${paint.dim(`nothing to ${verb}`)}\n`);
    return true;
  }
  const params = { root, casePath, fields, executionId: review.artifact.execution_id };
  await (verb === 'accept' ? acceptCase(params) : rejectCase(params));
  const outcome = verb === 'accept' ? `accepted into ${relative(cwd, review.files.baseline)}` : 'rejected';
  print(`${name}: ${paint.bold(fields.join(', '))} ${outcome}\n`);
  return true;
}
