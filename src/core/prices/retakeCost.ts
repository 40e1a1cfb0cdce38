import type { ProviderSpec } from '../model/case';
import type { Interaction } from '../model/interaction';
import type { RetakeCost } from '../model/run';
import { t } from '../text/l10n';
import { costOf, costOfCall, priceOf } from './cost';
import { formatExactDollars } from './formatDollars';
import type { PriceTable } from './priceTable';
import { sumCosts } from './retakeCostSums';

/** What a case calls when it is recorded. */
export type CalledProvider = Pick<ProviderSpec, 'kind' | 'model'>;

export interface RetakeOptions {
  /** The first interaction that is recorded, from 0; earlier ones are kept. */
  readonly from?: number;
  /** Called in place of the models on the tape; absent if these are called again, as by an own agent. */
  readonly provider?: CalledProvider | undefined;
  /** The project's own prices. */
  readonly prices?: PriceTable | undefined;
}

/** The model that is called if a case names none. */
export const DEFAULT_MODELS = { open_ai_compatible: 'gpt-4o-mini', ollama: 'llama3' };

/** The model that a provider calls; undefined if that is no model of a price list. */
function calledModel({ kind, model }: CalledProvider): string | undefined {
  if (kind === 'practice') return undefined;
  return model ?? (kind === 'vscode_lm' ? undefined : DEFAULT_MODELS[kind]);
}

/** Estimates what it costs to record these interactions again, from the tokens that they took. */
export function retakeCost(
  interactions: readonly Interaction[],
  { from = 0, provider, prices }: RetakeOptions = {},
): RetakeCost {
  const calls = interactions.slice(from).filter(({ kind }) => kind === 'llm' || kind === 'embedding');
  // The editor's models count towards a quota, and have no price.
  if (provider?.kind === 'vscode_lm') return { calls: calls.length };
  if (provider?.kind === 'practice') return { calls: calls.length, ...(calls.length > 0 && { dollars: 0 }) };
  return sumCosts(calls.map((call) => costAgain(call, provider && calledModel(provider), prices)));
}

/** A recorded error costs nothing. */
function costAgain(call: Interaction, called?: string, prices?: PriceTable): RetakeCost {
  const { kind, request, response } = call;
  const isOther = called !== undefined && kind === 'llm';
  const model = isOther ? called : (response?.model ?? request?.model);
  const usage = response?.usage;
  if (usage === undefined || model === undefined)
    return { calls: 1, ...(response?.error === undefined ? { uncounted: 1 } : { dollars: 0 }) };
  const dollars = isOther ? costOf(usage, called, prices) : costOfCall(call, prices);
  return { calls: 1, ...(dollars === undefined ? { unpriced: [model] } : { dollars }) };
}

/** What a model costs, for a first recording: there is no earlier one to estimate from. */
export function rateText(provider: CalledProvider, prices?: PriceTable): string | undefined {
  const model = calledModel(provider);
  if (model === undefined) return undefined;
  const price = priceOf(model, prices);
  if (price === undefined) return t('no price for {0} is known', model);
  const [input = '', output = ''] = [price.input, price.output].map(formatExactDollars);
  return t('{0} costs {1} for a million tokens in, and {2} out', model, input, output);
}
