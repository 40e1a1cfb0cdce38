import type { Artifact, AssertionResult } from '../../core/model/artifact';
import type { Case } from '../../core/model/case';
import { t } from '../../core/text/l10n';
import { noticeBeside } from '../../core/text/notice';
import type { ChatProvider } from '../providers/chatProvider';
import type { AgentRun } from './agentRun';
import { type RunAgentOptions, runAgent } from './runAgent';

/** One run of several, with its artifact. */
interface Sample {
  readonly run: AgentRun;
  readonly artifact: Artifact;
}

/**
 * Runs the agent of a case once for each sample, one after the other, with one provider, so that a tape serves each the next of
 * its recordings. The result is the first sample's, judged by how many pass. An error in one ends all of them.
 */
export async function runSampled(
  testCase: Case,
  provider: ChatProvider,
  options: RunAgentOptions,
  artifactOf: (run: AgentRun) => Artifact,
): Promise<Sample> {
  const { samples: count = 1 } = testCase.sampling ?? {};
  const samples: Sample[] = [];
  for (let made = 0; samples.length < count; ) {
    const offset = made;
    const { onInteraction } = options;
    const told = onInteraction && {
      onInteraction: (index: number, summary: string) => onInteraction.call(options, offset + index, summary),
    };
    const run = await runAgent(testCase, provider, { ...options, ...told });
    samples.push({ run, artifact: artifactOf(run) });
    made += run.interactions;
    if (run.error !== null) break;
  }
  return judged(testCase, samples);
}

function judged({ sampling }: Case, samples: readonly Sample[]): Sample {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined) throw new Error('a case has at least one sample');
  if (samples.length === 1) return first;
  const interactions = samples.reduce((sum, { run }) => sum + run.interactions, 0);
  if (last.run.error !== null) return { ...last, run: { ...last.run, interactions } };
  const run = { ...first.run, interactions };
  if (first.artifact.assertions.length === 0) return { run, artifact: first.artifact };
  const judge = () => passRate(samples, sampling?.passRate ?? 1);
  const said = noticeBeside(() => judge().details ?? '');
  const result = { ...judge(), ...(said && { said }) };
  const status = result.passed ? 'passed' : 'failed';
  return { run, artifact: { ...first.artifact, status, assertions: [result] } };
}

/** The verdict on all samples, with the first step at which one fails. */
function passRate(samples: readonly Sample[], needed: number): AssertionResult {
  const failed = samples.flatMap(({ artifact }, index) => {
    const unmet = artifact.assertions.filter((assertion) => !assertion.passed);
    return unmet.length === 0 ? [] : [{ index, unmet }];
  });
  const passed = samples.length - failed.length;
  const which = failed.map(({ index, unmet }) =>
    t('sample {0} ({1})', index + 1, unmet.map(({ kind }) => kind).join(', ')),
  );
  const [first] = failed;
  const step = first?.unmet.find((assertion) => assertion.step !== undefined)?.step;
  const before = samples.slice(0, first?.index ?? 0).reduce((sum, { run }) => sum + run.interactions, 0);
  const percent = Math.round(needed * 1000) / 10;
  const details =
    failed.length === 0
      ? t('{0} of {1} samples passed', passed, samples.length)
      : t('{0} of {1} samples passed, and {2}% must; failed: {3}', passed, samples.length, percent, which.join(', '));
  return {
    kind: 'pass_rate',
    expected: needed,
    actual: passed / samples.length,
    passed: passed / samples.length >= needed,
    details,
    ...(step && { step: { number: before + step.number } }),
  };
}
