import { EXIT_CODES } from '../../core/cases/runOutcome';
import { CI_SYSTEMS } from '../ciFiles';
import { installReviews, showTapesInGit, TEXTCONV } from '../hooks/reviewFiles';
import { findRoot } from '../project/findRoot';
import type { Terminal } from '../terminal/terminal';
import { type Arguments, choice, command, flag, refuseArguments } from './command';

const OPTIONS = {
  ci: choice('SYSTEM', CI_SYSTEMS, 'Also set up reviews of recordings in this system'),
  force: flag('Overwrite files of Tapedeck that were changed'),
};
type Given = Arguments<typeof OPTIONS>;

export const initCommand = command({
  usage: '[--ci github|gitlab|pre-commit] [--force]',
  about: 'Show tapes as conversations in git, and set up reviews of recordings in CI',
  options: OPTIONS,
  details: `Has git show tapes through \`tapedeck inspect\`, by a line in .gitattributes and a setting of this clone: \`git diff\`, \`git log -p\`, and
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
  const files = options.ci === undefined ? [] : await installReviews(root, options.ci, options.force);
  await showTapesInGit(root);
  print(`.gitattributes: git reads tapes through tapedeck inspect\ngit config ${TEXTCONV}: set in this clone\n`);
  for (const { path, text, outcome } of files)
    print(outcome === 'theirs' ? `${path} is yours. Add to it:\n\n${text}\n` : `${path}: ${outcome}\n`);
  return EXIT_CODES.ok;
}
