import { type RevisionSpan, revisionSince } from '../git/revision';
import { type Arguments, type CliCommand, UsageError } from './command';

/** The options that choose what is compared. */
export const SPAN_OPTIONS: CliCommand['options'] = {
  staged: { about: 'Only the staged version of staged files' },
  since: {
    value: 'REVISION',
    about: 'The changes from a revision to the last commit, as in a pull request; also A..B',
  },
};

/** What the options choose; by default the working tree. */
export function spanOf(args: Arguments): RevisionSpan {
  const revision = args.text('since');
  if (args.has('staged') && revision !== undefined) throw new UsageError('use --staged or --since, not both');
  if (revision !== undefined) return revisionSince(revision);
  return { type: args.has('staged') ? 'staged' : 'worktree' };
}
