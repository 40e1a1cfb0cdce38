import { createPaint } from '../commands/paint';
import { fromRoot } from '../project/caseFiles';
import { changesText } from '../reporters/changesText';
import { notRun, openReview } from '../runs/decisions';
import { projectPath } from './projectPath';

/** What would change if the last run of a case became its baseline. Changes nothing. */
export async function proposeAcceptance(root: string, named: string, reason: string): Promise<string> {
  const casePath = await projectPath(root, named);
  const review = await openReview(root, casePath);
  if (review === undefined) throw notRun(named);
  if (review.comparison.changes.length === 0)
    return `${named}: the last run equals its baseline; there is nothing to accept.`;
  const path = fromRoot(root, casePath);
  return [
    `Proposed: accept the last run of ${path} as its baseline.`,
    `Reason given: ${reason}`,
    '',
    changesText(review.comparison, createPaint(false)),
    `Nothing has been accepted. A person decides, in the review of ${path} or with: tapedeck accept ${path}`,
  ].join('\n');
}
