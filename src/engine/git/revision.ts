import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';

/** The states of a repository that are compared. */
export type RevisionSpan = { readonly type: 'worktree' } | { readonly type: 'staged' } | SinceRevision;

/** From a revision to the last commit, or a range in git's form `a..b` or `a...b`. */
export interface SinceRevision {
  readonly type: 'since';
  readonly revision: string;
}

/** The span from a revision that the user named. Throws a `UserError` for text that is not one. */
export function revisionSince(revision: string): SinceRevision {
  if (!revision.startsWith('-') && revision.trim() !== '') return { type: 'since', revision };
  throw new UserError(
    () => t('{0} is not a revision', revision),
    () => t('Pass a branch, a tag or a commit, or a range: A..B'),
  );
}
