import type { RetakeCost } from '../model/run';
import { counted, plural } from '../text/counts';
import { t } from '../text/l10n';
import { formatDollars } from './formatDollars';
import { PRICES_DATE } from './pricesDate';

/**
 * `16 live calls, about $0.03`; names what is unknown: `16 live calls, at least $0.03: no price for my-model is known`.
 */
export function formatRetakeCost({ calls, dollars, unpriced = [], uncounted = 0 }: RetakeCost): string {
  const told = plural(calls, 'live call');
  const gaps = [
    ...(unpriced.length > 0 ? [missingPrices(unpriced)] : []),
    ...(uncounted > 0 ? [missingTokens(uncounted, calls)] : []),
  ].join('; ');
  if (dollars === undefined || (gaps !== '' && dollars === 0)) return gaps === '' ? told : `${told}; ${gaps}`;
  return gaps === '' ? `${told}, ${amount(dollars)}` : t('{0}, at least {1}: {2}', told, formatDollars(dollars), gaps);
}

/** The same with the date of the prices, if one was used. */
export function formatDatedCost(cost: RetakeCost): string {
  const told = formatRetakeCost(cost);
  return cost.dollars ? t('{0} (list prices of {1})', told, PRICES_DATE) : told;
}

function amount(dollars: number): string {
  if (dollars === 0) return t('free');
  const told = formatDollars(dollars);
  return told.startsWith('<') ? t('less than {0}', told.slice(1)) : t('about {0}', told);
}

function missingTokens(uncounted: number, calls: number): string {
  if (uncounted < calls) return t('the tokens of {0} of them were not recorded', uncounted);
  return counted(calls, 'its tokens were not recorded', 'their tokens were not recorded');
}

const NAMED = 3;
const LONGEST = 60;

/** Names come from tapes: long ones are cut off, and only the first of many are listed. */
function missingPrices(models: readonly string[]): string {
  const names = models.slice(0, NAMED).map((model) => (model.length > LONGEST ? `${model.slice(0, LONGEST)}…` : model));
  const others = models.length - names.length;
  const listed = [...names, ...(others > 0 ? [plural(others, 'other model')] : [])].join(', ');
  return models.length === 1 ? t('no price for {0} is known', listed) : t('no prices for {0} are known', listed);
}
