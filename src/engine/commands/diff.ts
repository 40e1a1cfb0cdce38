import { prettyJson } from '../../core/json/json';
import { alignTapes, type TapePair } from '../../core/review/alignTapes';
import { reviewChanges } from '../../core/review/changes';
import type { Artifact } from '../../core/runs/artifact';
import { compareArtifacts, REVIEW_FIELDS } from '../../core/runs/compareArtifacts';
import { EXIT } from '../../core/runs/run';
import type { Tape } from '../../core/tapes/tape';
import { UserError } from '../project/userError';
import { type Arguments, type Command, UsageError } from './command';
import { type RecordedFile, readRecordedFile } from './recordedFile';
import type { Terminal } from './terminal';

export const diffCommand: Command = {
  name: 'diff',
  usage: 'A B [--json]',
  about: 'Compare two tapes interaction by interaction, or two artifacts field by field; A is the earlier one',
  options: { json: { about: 'As JSON, for programs' } },
  details: `Tapes are aligned by content: an interaction more or less does not make all later ones differ.

  --json  {kind: "artifacts", matches, differences: [{field, expected, actual}]}, or
          {kind: "tapes", matches, changes: [{type: "changed" | "added" | "removed", before, after, differences: [{field,
          before, after}]}]} with the places of the interactions, from 0 or null

Exit codes: 0 they are the same; 1 they differ; 2 one of them could not be read.`,
  examples: [
    'tapedeck diff old.tape.json new.tape.json',
    'tapedeck diff a.baseline.json .tapedeck/runs/a.artifact.json',
  ],
  run,
};

const ARTICLES = { tape: 'a tape', artifact: 'an artifact' } as const;

async function run(args: Arguments, terminal: Terminal): Promise<number> {
  const [left, right, ...more] = args.positionals;
  if (left === undefined || right === undefined || more.length > 0) throw new UsageError('name two files');
  const [before, after] = [await readRecordedFile(left, terminal.cwd), await readRecordedFile(right, terminal.cwd)];
  for (const [path, file] of [
    [left, before],
    [right, after],
  ] as const)
    requireWhole(path, file);
  if (before.kind === 'tape' && after.kind === 'tape') return diffTapes(before.tape, after.tape, args, terminal);
  if (before.kind === 'artifact' && after.kind === 'artifact') {
    return diffArtifacts(before.artifact, after.artifact, args, terminal);
  }
  throw new UserError(
    `${left} is ${ARTICLES[before.kind]} and ${right} ${ARTICLES[after.kind]}`,
    'Compare two of a kind.',
  );
}

/** A tape that could be read in part only would seem to differ in what is missing. */
function requireWhole(path: string, file: RecordedFile): void {
  const problem = file.kind === 'tape' ? file.tape.problems.find(({ severity }) => severity === 'error') : undefined;
  if (problem === undefined) return;
  throw new UserError(`${path}: ${problem.message}`, `See what is wrong with it: tapedeck inspect ${path}`);
}

async function diffTapes(before: Tape, after: Tape, args: Arguments, { paint, print }: Terminal): Promise<number> {
  const pairs = alignTapes(before.interactions, after.interactions);
  const matches = pairs.every(({ type }) => type === 'same');
  if (args.has('json')) {
    const changes = pairs.filter(({ type }) => type !== 'same').map(pairJson);
    print(`${prettyJson({ kind: 'tapes', matches, changes })}\n`);
  } else print((await import('../reporters/tapeDiffText')).tapeDiffText(pairs, paint));
  return matches ? EXIT.ok : EXIT.failed;
}

function pairJson({ type, before, after, differences }: TapePair): unknown {
  return { type, before: before?.index ?? null, after: after?.index ?? null, differences };
}

async function diffArtifacts(
  before: Artifact,
  after: Artifact,
  args: Arguments,
  { paint, print }: Terminal,
): Promise<number> {
  const comparison = compareArtifacts(before, after, REVIEW_FIELDS);
  if (args.has('json')) print(`${prettyJson({ kind: 'artifacts', ...comparison })}\n`);
  else print((await import('../reporters/artifactDiffText')).artifactDiffText(reviewChanges(before, after), paint));
  return comparison.matches ? EXIT.ok : EXIT.failed;
}
