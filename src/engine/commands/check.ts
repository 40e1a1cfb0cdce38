import { EXIT_CODES } from '../../core/cases/runOutcome';
import { shownPath } from '../files/projectPaths';
import { findRoot } from '../project/findRoot';
import { hideChanges } from '../recording/hideChanges';
import { gitlabReport, rdjsonReport } from '../reporters/annotations';
import { checkJson, checkJunit, checkMarkdown, checkSum, checkText } from '../reporters/checkReport';
import { githubAnnotations } from '../reporters/githubAnnotations';
import { jsonDocument } from '../reporters/jsonDocument';
import type { CheckDocument } from '../reporters/jsonDocuments';
import { shardMark } from '../reporters/shardMark';
import { annotatedFiles } from '../review/annotatedFiles';
import { listReviews } from '../review/changedReviews';
import { changedSubmodules } from '../review/changedSubmodules';
import { recorderOfSpan } from '../review/earlierRules';
import type { ListedReview } from '../review/subject';
import { ProgressLine } from '../terminal/progress';
import type { Terminal } from '../terminal/terminal';
import { type Arguments, command, UsageError } from './command';
import { chosenReporter, reporterOptions } from './reporterOption';
import { SPAN_OPTIONS, spanOf } from './revisionOption';
import { SHARD_OPTION, shardOf } from './shardOption';

const REPORTERS = ['text', 'json', 'junit', 'markdown', 'github', 'gitlab', 'rdjson'] as const;

const OPTIONS = {
  ...SPAN_OPTIONS,
  ...SHARD_OPTION,
  ...reporterOptions(REPORTERS),
};
type Given = Arguments<typeof OPTIONS>;

export const checkCommand = command({
  usage:
    '[--staged | --since REVISION] [--shard I/N] [--reporter text|json|junit|markdown|github|gitlab|rdjson] [--json]',
  about: 'List pending changes in tapes, baselines and runs, and fail if there are any',
  options: OPTIONS,
  details: `Without an option, it compares the working tree with the last commit, and the last run of each case with its baseline;
without a repository, it compares tapes with the takes that they replaced. Differences that the [normalise] rules in
tapedeck.toml, or in the case that a run, baseline, or tape belongs to, ignore do not need a decision. Nor does a new name: a
file that was renamed is compared with what it was. A tape and the result of the one case that records it are one item: what
both say is one change, and one decision. Decide with \`accept\` and
\`reject\`, or in the review in VS Code; a decision also applies to the same difference in later runs. Only your own decisions
count; they are in .tapedeck/ and are not committed, so a commit cannot accept itself. Nor can it hide its changes: with --since,
the rules of that revision apply. In CI, every change since a revision is therefore pending, and the list is for the reviewer of
the pull request.

Nothing unreadable passes: content that a partial clone lacks, a broken object, or an unreadable file ends with 2, and a damaged
tape is a pending change. Nothing of the repository is run: no hook, filter, monitor, or helper.

  --reporter github  one annotation for each file with pending changes, at its first change; GitHub shows ten of a step
  --reporter gitlab  a Code Quality report, which GitLab shows in the merge request
  --reporter rdjson  for reviewdog, which comments on GitHub, GitLab, and Bitbucket

As a pre-commit hook, in .git/hooks/pre-commit, with tapedeck on the PATH:
  #!/bin/sh
  exec tapedeck check --staged

  --json  {ok, files: [{path, renamedFrom?, kind: "tape" | "baseline" | "run", results?: [{kind, path}], changes: [{id, title, kind,
        subject, weight, usage?, of?: {kind, path}, decision: "open" | "accepted" | "rejected"}], hidden: the number of ignored
        differences}]}; results are decided with a tape, and of is the result that has a change where the tape has not

Exit codes: 0 no pending changes; 1 pending changes; 2 a file or the repository cannot be read.`,
  examples: ['tapedeck check --staged', 'tapedeck check --since origin/main --reporter markdown'],
  run,
});

async function run(args: Given, terminal: Terminal): Promise<number> {
  const { cwd, env, paint, print, note } = terminal;
  if (args.positionals.length > 0) throw new UsageError('check takes no path: it checks the whole project');
  const root = findRoot(cwd, cwd);
  const line = new ProgressLine(terminal);
  const shard = shardOf(args);
  let compared = 0;
  const span = spanOf(args);
  const found = await listReviews(root, span, {
    onFile(path, total) {
      compared += 1;
      line.show(`comparing ${compared} of ${total}: ${shownPath(cwd, path)}`);
    },
    shard,
  });
  line.end();
  for (const path of await changedSubmodules(root, span))
    note(
      `tapedeck: ${path} is a submodule with another commit, whose tapes are not compared here: run tapedeck check --since in it`,
    );
  const recorder = await recorderOfSpan(root, span, env);
  const reviews = found.map((review) => hideChanges(review, recorder));
  switch (chosenReporter(args, REPORTERS)) {
    case 'json':
      print(jsonDocument<CheckDocument>(!reviews.some(isOpen), { shard, ...checkJson(reviews) }));
      break;
    case 'junit':
      print(checkJunit(reviews) + shardMark(shard));
      break;
    case 'markdown':
      print(checkMarkdown(reviews) + shardMark(shard));
      break;
    case 'github':
      print(githubAnnotations(await annotatedFiles(root, reviews)) + checkSum(reviews));
      break;
    case 'gitlab':
      print(gitlabReport(await annotatedFiles(root, reviews)));
      break;
    case 'rdjson':
      print(rdjsonReport(await annotatedFiles(root, reviews)));
      break;
    default:
      print(checkText(reviews, paint));
  }
  return reviews.some(isOpen) ? EXIT_CODES.failed : EXIT_CODES.ok;
}

function isOpen({ pending }: ListedReview): boolean {
  return pending.length > 0;
}
