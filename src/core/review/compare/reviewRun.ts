import type { Artifact } from '../../model/artifact';
import { t } from '../../text/l10n';
import { compareRuns, type RunComparison } from './compareRuns';
import { Normaliser } from './normaliser';

/**
 * What is to be decided about the last run of a case. Of one that ended in an error, as with a drift, it is nothing: its differences
 * follow from the error, and it never becomes a baseline.
 */
export function reviewRun(baseline: Artifact | undefined, run: Artifact, normaliser = new Normaliser()): RunComparison {
  if (run.runner_error === null) return compareRuns(baseline, run, normaliser);
  return { lists: new Map(), notices: [], changes: [], hidden: [], sources: new Map() };
}

/** Why there is nothing to decide about a run that ended in an error; undefined for another. */
export function errorInReview({ runner_error: error }: Artifact): string | undefined {
  if (error === null) return undefined;
  return t('The last run ended in an error, so there is nothing to review: {0}', error);
}
