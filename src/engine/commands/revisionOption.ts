import { type RevisionSpan, revisionSince } from '../git/revision';
import { type Arguments, flag, text, UsageError } from './command';

/** The options that choose what is compared. */
export const SPAN_OPTIONS = {
  staged: flag('Only the staged version of staged files'),
  since: text('REVISION', 'The changes between a revision and the last commit, as in a pull request; also A..B'),
};

/** What the options choose; by default the working tree. */
export function spanOf(args: Arguments<typeof SPAN_OPTIONS>): RevisionSpan {
  const revision = args.options.since;
  if (args.options.staged && revision !== undefined) throw new UsageError('use --staged or --since, not both');
  if (revision !== undefined) return revisionSince(revision);
  return { type: args.options.staged ? 'staged' : 'worktree' };
}
