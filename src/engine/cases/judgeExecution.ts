import { dirname } from 'node:path';
import type { Failure } from '../../core/model/run';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { errorFailures } from '../errors/failures';
import type { Execution } from '../execution/runnableCase';
import { pathOfUser } from '../files/pathOfUser';
import { assertionFailure } from './assertionFailures';

/** The failures of an execution. An error of the agent is the only one: it causes whatever else fails. */
export function executionFailures(execution: Execution, casePath: string): readonly Failure[] {
  const { run, artifact, assertionSpans = [], failures = [] } = execution;
  if (run.error !== null) return failuresOf(run.error);
  const { tape } = artifact.tapedeck ?? {};
  const tapePath = tape && pathOfUser(dirname(parseCaseAddress(casePath).path), tape);
  const unmet = artifact.assertions.flatMap(
    (result, index) => assertionFailure(result, assertionSpans[index], tapePath) ?? [],
  );
  return [...unmet, ...failures];
}

/** An expected error as failures. A bug is thrown on. */
export function failuresOf(error: unknown): readonly Failure[] {
  const failures = errorFailures(error);
  if (failures === undefined) throw error;
  return failures;
}
