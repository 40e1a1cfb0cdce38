import { EXIT_CODES } from '../../core/cases/runOutcome';
import { prettyJson } from '../../core/json/json';
import { type RevisionSpan, revisionSince } from '../git/changedFiles';
import { findRoot } from '../project/findRoot';
import { checkJson, checkJunit, checkMarkdown, checkText } from '../reporters/checkReport';
import { listReviews } from '../review/changedReviews';
import type { SubjectReview } from '../review/subject';
import type { Terminal } from '../terminal/terminal';
import { type Arguments, type CliCommand, UsageError } from './command';

const REPORTERS = ['text', 'json', 'junit', 'markdown'] as const;

export const checkCommand: CliCommand = {
  name: 'check',
  usage: '[--staged | --since REVISION] [--reporter text|json|junit|markdown]',
  about: 'The gate for a commit: which changes of tapes, baselines and runs nobody has decided about',
  options: {
    staged: { about: 'Only what is staged, as it is staged' },
    since: {
      value: 'REVISION',
      about: 'What changed from a revision to the last commit, as in a pull request; also A..B',
    },
    reporter: { value: 'NAME', about: 'How to print the result (default: text)', choices: REPORTERS },
  },
  details: `Without an option: the working tree against the last commit, and the last run of each case against its baseline; where
there is no repository, tapes against the takes that they replaced. What a rule
of [normalise] in tapedeck.toml says means nothing needs no decision. Decide with \`accept\` and \`reject\`, or in the review of
VS Code; a decision holds for the same difference in later runs, too.

As a pre-commit hook, in .git/hooks/pre-commit:
  #!/bin/sh
  exec npx --no tapedeck check --staged

  json  {matches, files: [{path, kind: "tape" | "baseline" | "run", changes: [{id, title, kind, subject, weight, decision:
        "open" | "accepted" | "rejected"}], hidden: how many}]}

Exit codes: 0 nothing to decide; 1 something is; 2 a file or the repository could not be read.`,
  examples: ['tapedeck check --staged', 'tapedeck check --since origin/main --reporter markdown'],
  run,
};

async function run(args: Arguments, { cwd, paint, print }: Terminal): Promise<number> {
  if (args.positionals.length > 0) throw new UsageError('check takes no path: it looks at the whole project');
  const reviews = await listReviews(await findRoot(cwd, cwd), spanOf(args));
  switch (args.text('reporter')) {
    case 'json':
      print(`${prettyJson(checkJson(reviews))}\n`);
      break;
    case 'junit':
      print(checkJunit(reviews));
      break;
    case 'markdown':
      print(checkMarkdown(reviews));
      break;
    default:
      print(checkText(reviews, paint));
  }
  return reviews.some(isOpen) ? EXIT_CODES.failed : EXIT_CODES.ok;
}

function spanOf(args: Arguments): RevisionSpan {
  const revision = args.text('since');
  if (args.has('staged') && revision !== undefined) throw new UsageError('use --staged or --since, not both');
  if (revision !== undefined) return revisionSince(revision);
  return { type: args.has('staged') ? 'staged' : 'worktree' };
}

function isOpen({ pending }: SubjectReview): boolean {
  return pending.length > 0;
}
