import { prettyJson } from '../../core/json/json';
import type { Failure } from '../../core/model/run';
import { CaseError } from '../errors/failures';
import { copiedContent, type RecordedContent } from './recordedContent';
import type { Recorder } from './recorder';

/**
 * A report as JSON. Where the project's rules are broken, nothing is known of what to hide: then it is that of `withProblems`, which has to be made
 * of nothing but their problems.
 */
export async function reportContent(
  opened: Promise<Recorder>,
  report: unknown,
  withProblems: (problems: readonly Failure[]) => unknown,
): Promise<RecordedContent> {
  try {
    return (await opened).jsonReport(report);
  } catch (error) {
    if (error instanceof CaseError) return copiedContent(prettyJson(withProblems(error.failures)));
    throw error;
  }
}
