import { EXIT_CODES } from '../../core/cases/runOutcome';
import { changesTexts } from '../../core/export/changesText';
import { formatJsonPath } from '../../core/json/jsonPath';
import type { Change } from '../../core/model/change';
import { Normaliser } from '../../core/review/compare/normaliser';
import { compareRecorded, isSameFile } from '../../core/review/compareRecordings';
import { partlyRead } from '../../core/review/recordings';
import { findRoot } from '../project/findRoot';
import { projectConfig } from '../project/projectConfig';
import { hideChanges } from '../recording/hideChanges';
import { createRecorders } from '../recording/openRecorder';
import { notRefused, readRecordedFile, STDIN } from '../recording/recordedFile';
import type { DiffDocument, PrintedChange } from '../reporters/documents';
import { jsonDocumentPieces } from '../reporters/jsonDocument';
import type { Terminal } from '../terminal/terminal';
import { type Arguments, type CliCommand, UsageError } from './command';

export const diffCommand: CliCommand = {
  name: 'diff',
  usage: 'A B [--json] [--all]',
  about: 'Compare two tapes interaction by interaction, or two artifacts; A is the earlier one, - is stdin',
  options: {
    json: { about: 'Print the result as JSON' },
    all: { about: 'Also show differences that the [normalise] rules in tapedeck.toml ignore' },
  },
  details: `Tapes are aligned by content: an added or removed interaction does not make all later ones differ, and an edit that every
later request repeats is one change. In very large tapes, only the first differences are compared in detail; the rest
is one change, with a notice.

  --json  {ok, kind: "tapes" | "artifacts", matches, changes: [{id, kind: "added" | "removed" | "moved" | "edited", subject,
          weight, place: {before?, after?, path}, title, before, after, repeats: [place], usage?: {before?, after?},
          rules}], hidden: [the same], notices}; usage has the token counts that changed with it; before and after are interactions, counted from 0

Exit codes: 0 no differences; 1 they differ; 2 one of them cannot be read.`,
  examples: [
    'tapedeck diff old.tape.json new.tape.json',
    'tapedeck diff a.baseline.json .tapedeck/runs/a.artifact.json',
  ],
  run,
};

async function run(args: Arguments, { cwd, env, paint, print }: Terminal): Promise<number> {
  const [left, right, ...more] = args.positionals;
  if (left === undefined || right === undefined || more.length > 0) throw new UsageError('name two files');
  if (left === STDIN && right === STDIN) throw new UsageError('only one of the two files can be -');
  const before = { name: left, file: await readRecordedFile(left, cwd) };
  const after = { name: right, file: await readRecordedFile(right, cwd) };
  const different = isSameFile(before.file, after.file) ? [before] : [before, after];
  for (const one of different) notRefused(partlyRead(one, `For details: tapedeck inspect ${one.name}`) ?? one);
  const root = findRoot(cwd, cwd);
  const normaliser = new Normaliser((await projectConfig(root)).normalise);
  const recorder = await createRecorders(env)(root);
  const { changes, hidden, notices } = hideChanges(notRefused(compareRecorded(before, after, normaliser)), recorder);
  const matches = changes.length === 0;
  if (args.has('json')) {
    const shown = { changes: changes.map(changeJson), hidden: hidden.map(changeJson) };
    const members = { kind: `${before.file.kind}s`, matches, ...shown, notices } as const;
    for (const text of jsonDocumentPieces<DiffDocument>(matches, members)) print(text);
  } else for (const text of changesTexts({ changes, hidden, notices }, paint, { all: args.has('all') })) print(text);
  return matches ? EXIT_CODES.ok : EXIT_CODES.failed;
}

function changeJson({ language: _, partIds: __, place, repeats, ...change }: Change): PrintedChange {
  const placeJson = ({ path, ...at }: Change['place']) => ({ ...at, path: formatJsonPath(path) });
  return { ...change, place: placeJson(place), repeats: repeats.map(placeJson) };
}
