import { join, relative } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { EXIT_CODES } from '../../core/cases/runOutcome';
import { CI_SYSTEMS, type CiFile, ciFiles } from '../ciFiles';
import { UserError } from '../errors/userError';
import { realPath } from '../files/fileStatus';
import { withSlashes } from '../files/projectPaths';
import { readTextIfThere } from '../files/readFile';
import { writeInProject } from '../files/writeFile';
import { Repository } from '../git/repository';
import { findRoot } from '../project/findRoot';
import type { Terminal } from '../terminal/terminal';
import { type Arguments, choice, command, flag, refuseArguments } from './command';

const OPTIONS = {
  ci: choice('SYSTEM', CI_SYSTEMS, 'Also write what reviews recordings there'),
  force: flag('Overwrite files of Tapedeck that were changed'),
};
type Given = Arguments<typeof OPTIONS>;

/** Recordings are read as conversations, and folded in pull requests, where the comment tells what changed. */
const ATTRIBUTES = ['*.tape.json', '*.tape.jsonl'].map((pattern) => `${pattern} diff=tapedeck linguist-generated`);
const TEXTCONV = 'diff.tapedeck.textconv';
/** Shows what is no tape, or cannot be read, as it is: else git diff would end there. */
const SHOW = 'f() { tapedeck inspect "$1" 2>/dev/null || cat "$1"; }; f';

export const initCommand = command({
  usage: '[--ci github|gitlab|pre-commit] [--force]',
  about: 'Have git show tapes as conversations, and write what reviews recordings in CI',
  options: OPTIONS,
  details: `Adds to .gitattributes that git reads tapes through \`tapedeck inspect\`, and sets that in this clone: \`git diff\`, \`git log -p\`, and
\`git show\` then show the conversation. Each clone needs it once; where tapedeck is not on the PATH, git shows the files as they are.

  --ci github      a composite action and a workflow: one comment with what changed in words, the page of all texts as an artifact,
                   annotations, the cases, and a status that turns green by the label recordings-reviewed, until the next push
  --ci gitlab      a component: the same comment (with a project access token in TAPEDECK_TOKEN), Code Quality, JUnit, the page
  --ci pre-commit  hooks that stop a commit with pending changes, secrets, or damaged recordings

Files that are yours too (.gitlab-ci.yml, .pre-commit-config.yaml) are written where they are absent; else what to add is printed.

Exit codes: 0 all is there; 2 a file of Tapedeck was changed, or cannot be written, or there is no repository.`,
  examples: ['tapedeck init', 'tapedeck init --ci github'],
  run,
});

async function run({ positionals, options }: Given, { cwd, print }: Terminal): Promise<number> {
  refuseArguments(positionals);
  const root = findRoot(cwd, cwd);
  const repository = await Repository.require(root);
  const project = withSlashes(relative(repository.top, (await realPath(root)) ?? root)) || '.';
  const files = options.ci === undefined ? [] : await ciFiles(options.ci, project);
  const outcomes = await Promise.all(files.map((file) => outcomeOf(repository.top, file, options.force)));
  await addAttributes(root);
  print('.gitattributes: git reads tapes through tapedeck inspect\n');
  await repository.set(TEXTCONV, SHOW);
  print(`git config ${TEXTCONV}: set in this clone\n`);
  for (const { path, text, toWrite, isThere } of outcomes) {
    if (toWrite) await writeInProject(repository.top, join(repository.top, path), text);
    print(
      isThere || toWrite ? `${path}: ${toWrite ? 'written' : 'there'}\n` : `${path} is yours. Add to it:\n\n${text}\n`,
    );
  }
  return EXIT_CODES.ok;
}

interface Outcome extends CiFile {
  readonly toWrite: boolean;
  /** The file has this text. */
  readonly isThere: boolean;
}

/** Rejects with a `UserError` before anything is written, where a file was changed. */
async function outcomeOf(top: string, file: CiFile, force: boolean): Promise<Outcome> {
  const there = await readTextIfThere(join(top, file.path), FILE_LIMITS.config);
  const isThere = there?.includes(file.text) === true;
  const toWrite = there === undefined || (!isThere && force && file.isShared === undefined);
  if (isThere || toWrite || file.isShared) return { ...file, toWrite, isThere };
  throw new UserError(`${file.path} is there already, and differs`, 'Overwrite it with --force.');
}

async function addAttributes(root: string): Promise<void> {
  const name = '.gitattributes';
  const text = (await readTextIfThere(join(root, name), FILE_LIMITS.config)) ?? '';
  const lines = text.split(/\r?\n/);
  const missing = ATTRIBUTES.filter((line) => !lines.includes(line));
  if (missing.length === 0) return;
  const start = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  await writeInProject(root, join(root, name), `${start}${missing.join('\n')}\n`);
}
