import { DEFAULT_REPLAY_SPEC } from '../../core/cases/toml/replaySpec';
import type { InteractionVerdict } from '../../core/model/artifact';
import type { ReplaySpec } from '../../core/model/case';
import type { Failure } from '../../core/model/run';
import type { Tape } from '../../core/model/tape';
import { t } from '../../core/text/l10n';
import { noticeOf, type Said } from '../../core/text/notice';
import { isUndated } from '../../core/verify/staleRecordings';
import { failureOf } from '../errors/failures';

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

/** Says that `max_age_days` of the case could not be applied to all recordings that were served. */
export function ageNotes(
  { maxAgeDays }: ReplaySpec = DEFAULT_REPLAY_SPEC,
  verdicts: readonly InteractionVerdict[],
  { interactions }: Tape,
): readonly Said[] {
  if (maxAgeDays === undefined) return [];
  const served = verdicts.flatMap(({ verdict, index }) => (verdict === 'unused' ? [] : (index ?? [])));
  const undated = [...new Set(served)].filter((index) =>
    interactions.some((one) => one.index === index && isUndated(one)),
  );
  if (undated.length === 0) return [];
  const which = () =>
    undated.length === new Set(served).size ? t('the recordings') : t('{0} of the recordings', undated.length);
  return [noticeOf(() => t('max_age_days does not apply to {0}: the tape does not say when they were made', which()))];
}

function unusedFailure(tape: string, numbers: readonly number[]): Failure {
  return failureOf('unused', {
    message: () => t('{0}: {1} not used', tape, interactionList(numbers)),
    fix: () => t('Record the tape again, or remove fail_on_unused under [llm.replay].'),
  });
}

function expiredFailure(tape: string, numbers: readonly number[], days: number | undefined): Failure {
  return failureOf('unused', {
    message: () => t('{0}: {1} recorded more than {2} days ago', tape, interactionList(numbers), String(days)),
    fix: () => t('Record the tape again, or raise max_age_days under [llm.replay].'),
  });
}

const MAX_LISTED = 10;

function interactionList(numbers: readonly number[]): string {
  const list = numbers.slice(0, MAX_LISTED).join(', ');
  const more = numbers.length - MAX_LISTED;
  if (more > 0) return t('interactions {0} and {1} more were', list, more);
  return numbers.length === 1 ? t('interaction {0} was', list) : t('interactions {0} were', list);
}
