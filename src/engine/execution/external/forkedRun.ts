import { t } from '../../../core/text/l10n';
import type { RequestEdits } from '../../../core/wire/edit/editRequest';
import { UserError } from '../../errors/userError';
import type { InteractionReport } from '../../proxy/session/report';
import type { ExecuteOptions } from '../runnableCase';
import type { ExternalPlan } from './plan';

interface PlannedAgent {
  readonly plan: ExternalPlan;
  readonly options: ExecuteOptions;
}

/** What is changed in the requests that a recording sends. */
export function requestEdits({ plan, options: { fork, model } }: PlannedAgent): RequestEdits | undefined {
  if (plan.mode === 'replay' || (fork === undefined && model === undefined)) return undefined;
  return { ...fork?.edits, ...(model !== undefined && { model }) };
}

/** The model of the run, where it is not the agent's own. */
export function modelVariable({ plan, options: { model } }: PlannedAgent): Record<string, string> {
  return plan.mode === 'replay' || model === undefined ? {} : { TAPEDECK_MODEL: model };
}

/** How many interactions of the tape a resumed take keeps. Throws a `UserError` unless it used the first ones, in order. */
export function keptInteractions(
  reports: readonly InteractionReport[],
  tapePath: string,
  { fork, from }: ExecuteOptions,
): number {
  const served = reports.flatMap(({ index }) => index ?? []).sort((left, right) => left - right);
  const isWhole = fork === undefined || served.length === from;
  if (isWhole && served.every((index, at) => index === at)) return served.length;
  const message = () => t('{0}: the agent did not make the first requests of the tape in the recorded order', tapePath);
  const fix = () =>
    fork === undefined ? t('Record the whole tape: leave out --from.') : t('Re-record the tape, and fork the new one.');
  throw new UserError(message, fix);
}
