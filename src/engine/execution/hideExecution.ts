import { hideError, hideFailure } from '../recording/hideError';
import type { Recorder } from '../recording/recorder';
import type { ExecuteOptions, Execution, RunnableCase } from './runnableCase';

/** The case, of which a run results in no secret: neither in what it returns, nor in what it throws. */
export function hidingSecrets(runnable: RunnableCase): RunnableCase {
  return {
    ...runnable,
    plan: async (mode, root) => {
      const plan = await runnable.plan(mode, root);
      return { ...plan, execute: (options) => executeHidden(plan, options) };
    },
  };
}

/** Executes a run without secrets in its result. */
async function executeHidden<T extends Execution>(
  plan: { execute(options: ExecuteOptions): Promise<T> },
  options: ExecuteOptions,
): Promise<T> {
  try {
    return hideExecution(await plan.execute(options), options.recorder);
  } catch (error) {
    throw hideError(error, options.recorder);
  }
}

function hideExecution<T extends Execution>(execution: T, recorder: Recorder): T {
  const { run, artifact, interactions, failures, notes } = execution;
  return {
    ...execution,
    run: { ...run, outputText: recorder.value(run.outputText), error: run.error && hideError(run.error, recorder) },
    artifact: recorder.hiddenArtifact(artifact),
    ...(interactions && { interactions: recorder.value(interactions) }),
    ...(failures && { failures: failures.map((failure) => hideFailure(failure, recorder)) }),
    ...(notes && { notes: recorder.value(notes) }),
  };
}
