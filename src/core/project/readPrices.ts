import type { Fields } from '../cases/fields';
import type { ModelPrice, PriceTable } from '../prices/priceTable';

/**
 * `[prices]` of `tapedeck.toml`: by model, US dollars for a million tokens.
 * `"my-model" = { input = 0.5, output = 1.5, cached_input = 0.05, cache_write = 0.6 }`
 */
export function readPrices(prices: Fields): PriceTable {
  return Object.fromEntries(prices.keys().flatMap((model) => readPrice(prices, model)));
}

function readPrice(prices: Fields, model: string): [string, ModelPrice][] {
  const price = prices.table(model);
  if (price === undefined) return [];
  const [input, output] = [price.amount('input'), price.amount('output')];
  const [cachedInput, cacheWrite] = [price.amount('cached_input'), price.amount('cache_write')];
  if (input === undefined || output === undefined) {
    if (!price.has('input') || !price.has('output'))
      price.report('a price has `input` and `output`', 'Give both, in US dollars for a million tokens.');
    return [];
  }
  const kept = {
    ...(cachedInput === undefined ? {} : { cachedInput }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
  return [[model, { input, output, ...kept }]];
}
