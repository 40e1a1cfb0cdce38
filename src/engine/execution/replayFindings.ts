import { DEFAULT_REPLAY_SPEC } from '../../core/cases/toml/replaySpec';
import type { InteractionVerdict } from '../../core/model/artifact';
import type { ReplaySpec } from '../../core/model/case';
import type { Failure } from '../../core/model/run';

/** The failures of a completed replay: unused and expired recordings, where the case does not allow them. */
export function replayFindings(
  { failOnUnused, failOnExpired, maxAgeDays }: ReplaySpec = DEFAULT_REPLAY_SPEC,
  verdicts: readonly InteractionVerdict[],
  tape: string,
): readonly Failure[] {
  const numbers = (wanted: InteractionVerdict['verdict']) =>
    verdicts.flatMap(({ verdict, index }) => (verdict === wanted && index !== undefined ? [index + 1] : []));
  const unused = numbers('unused');
  const expired = numbers('expired');
  return [
    ...(failOnUnused && unused.length > 0 ? [unusedFailure(tape, unused)] : []),
    ...(failOnExpired && expired.length > 0 ? [expiredFailure(tape, expired, maxAgeDays)] : []),
  ];
}

function unusedFailure(tape: string, numbers: readonly number[]): Failure {
  const message = `${tape}: ${interactionList(numbers)} not used`;
  return {
    kind: 'unused',
    message,
    fix: 'Record the tape again, or remove fail_on_unused under [llm.replay].',
  };
}

function expiredFailure(tape: string, numbers: readonly number[], days: number | undefined): Failure {
  const message = `${tape}: ${interactionList(numbers)} recorded more than ${days} days ago`;
  return { kind: 'unused', message, fix: 'Record the tape again, or raise max_age_days under [llm.replay].' };
}

const MAX_LISTED = 10;

function interactionList(numbers: readonly number[]): string {
  const list = numbers.slice(0, MAX_LISTED).join(', ');
  const more = numbers.length > MAX_LISTED ? ` and ${numbers.length - MAX_LISTED} more` : '';
  return numbers.length === 1 ? `interaction ${list} was` : `interactions ${list}${more} were`;
}
