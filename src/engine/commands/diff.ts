import { EXIT_CODES } from '../../core/cases/runOutcome';
import { formatJsonPath } from '../../core/json/jsonPath';
import type { Change, ChangeSet } from '../../core/model/change';
import type { NormaliseRules } from '../../core/model/normalise';
import { isSameFile, type NamedRecording, NO_CHANGES, partlyRead } from '../../core/review/recordings';
import { shellWord } from '../../core/text/shellWord';
import { findRoot } from '../project/findRoot';
import { projectConfig } from '../project/projectConfig';
import { hideChanges } from '../recording/hideChanges';
import { notRefused, readRecordedFiles, STDIN } from '../recording/recordedFile';
import { jsonDocumentPieces } from '../reporters/jsonDocument';
import type { DiffDocument, PrintedChange } from '../reporters/jsonDocuments';
import type { Terminal } from '../terminal/terminal';
import { type Arguments, command, flag, JSON_OUTPUT, UsageError } from './command';

const OPTIONS = {
  json: JSON_OUTPUT,
  all: flag('Also show differences that the [normalise] rules in tapedeck.toml ignore'),
};
type Given = Arguments<typeof OPTIONS>;

export const diffCommand = command({
  usage: 'A B [--json] [--all]',
  about: 'Compare two tapes interaction by interaction, or two artifacts; A is the earlier one, - is stdin',
  options: OPTIONS,
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
});

async function run(args: Given, { cwd, env, paint, print }: Terminal): Promise<number> {
  const [left, right, ...more] = args.positionals;
  if (left === undefined || right === undefined || more.length > 0) throw new UsageError('name two files');
  if (left === STDIN && right === STDIN) throw new UsageError('only one of the two files can be -');
  const [earlier, later] = await readRecordedFiles(left, right, cwd);
  const before = { name: left, file: earlier };
  const after = { name: right, file: later };
  const isSame = isSameFile(before.file, after.file);
  for (const one of isSame ? [before] : [before, after])
    notRefused(partlyRead(one, `For details: tapedeck inspect ${shellWord(one.name)}`) ?? one);
  const root = findRoot(cwd, cwd);
  const { normalise } = await projectConfig(root);
  const { changes, hidden, notices } = isSame ? NO_CHANGES : await compare(before, after, { root, normalise, env });
  const matches = changes.length === 0;
  if (args.options.json) {
    const shown = { changes: changes.map(changeJson), hidden: hidden.map(changeJson) };
    const members = { kind: `${before.file.kind}s`, matches, ...shown, notices } as const;
    for (const text of jsonDocumentPieces<DiffDocument>(matches, members)) print(text);
  } else {
    const { changesTexts } = await import('../../core/export/changesText');
    for (const text of changesTexts({ changes, hidden, notices }, paint, { all: args.options.all })) print(text);
  }
  return matches ? EXIT_CODES.ok : EXIT_CODES.failed;
}

interface ComparisonContext extends Pick<Terminal, 'env'> {
  readonly root: string;
  readonly normalise: NormaliseRules;
}

/** The changes without secrets. What compares is loaded here: two files that are the same need none of it. */
async function compare(
  before: NamedRecording,
  after: NamedRecording,
  { root, normalise, env }: ComparisonContext,
): Promise<ChangeSet> {
  const { compareRecorded } = await import('../../core/review/compareRecordings');
  const { Normaliser } = await import('../../core/review/compare/normaliser');
  const { createRecorders } = await import('../recording/openRecorder');
  const recorder = await createRecorders(env)(root);
  return hideChanges(notRefused(compareRecorded(before, after, new Normaliser(normalise))), recorder);
}

function changeJson({ language: _, place, repeats, ...change }: Change): PrintedChange {
  const placeJson = ({ path, ...at }: Change['place']) => ({ ...at, path: formatJsonPath(path) });
  return { ...change, place: placeJson(place), repeats: repeats.map(placeJson) };
}
