import type { Interaction } from '../model/interaction';
import type { RetakeCost } from '../model/run';
import type { Usage } from '../model/usage';
import { LIST_PRICES } from './listPrices';
import type { ModelPrice, PriceTable } from './priceTable';

const MILLION = 1e6;

/**
 * The cost of tokens in US dollars; undefined where the model has no price. Prices are looked up by the model's name and its
 * family's (`gpt-4o` for `openai/gpt-4o-2024-08-06`); the project's own prices come first.
 */
export function costOf(usage: Usage, model: string | undefined, own: PriceTable = {}): number | undefined {
  const price = model === undefined ? undefined : priceOf(model, own);
  if (price === undefined) return undefined;
  const { fresh, cached, written, output } = billed(usage);
  const { input, cachedInput = input, cacheWrite = input } = price;
  return (fresh * input + cached * cachedInput + written * cacheWrite + output * price.output) / MILLION;
}

function priceOf(model: string, own: PriceTable): ModelPrice | undefined {
  const names = [model, model.toLowerCase(), familyOf(model)];
  for (const name of names) if (Object.hasOwn(own, name)) return own[name];
  listed ??= readListPrices();
  for (const name of names) if (listed.has(name)) return listed.get(name);
  return undefined;
}

let listed: ReadonlyMap<string, ModelPrice> | undefined;

/** The list prices by model. Each line has up to four prices, and the models that have them. */
export function readListPrices(): ReadonlyMap<string, ModelPrice> {
  return new Map(
    LIST_PRICES.trim()
      .split('\n')
      .flatMap((line) => {
        const [prices = '', names = ''] = line.split(': ');
        const [input = 0, output = 0, cachedInput = input, cacheWrite = input] = prices.split(' ').map(Number);
        return names.split(' ').map((name) => [name, { input, output, cachedInput, cacheWrite }] as const);
      }),
  );
}

/** The model's name without prefixes (`models/`, `us.anthropic.`) and without the date or version of a release. */
function familyOf(model: string): string {
  return model
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/^(?:us|eu|apac|jp|au|global)\./, '')
    .replace(/^(?:anthropic|mistral|cohere)\./, '')
    .replace(/@\d{8}$/, '')
    .replace(/-v\d+(?::\d+)?$/, '')
    .replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, '')
    .replace(/^((?:claude|gpt|o\d|grok).*)-latest$/, '$1');
}

interface Billed {
  readonly fresh: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
}

/** What each price is for: cached and written tokens are within the prompt, reasoning is within the completion. */
function billed({ promptTokens, completionTokens, cachedTokens = 0, cacheWriteTokens = 0 }: Usage): Billed {
  return {
    fresh: Math.max(0, promptTokens - cachedTokens - cacheWriteTokens),
    cached: cachedTokens,
    written: cacheWriteTokens,
    output: completionTokens,
  };
}

/** The cost of recording again from interaction `from` on; `model` is for interactions without a model. */
export function retakeCost(interactions: readonly Interaction[], from: number, model?: string): RetakeCost {
  const calls = interactions.slice(from).filter(({ kind }) => kind === 'llm' || kind === 'embedding');
  const costs = calls.map(({ request, response }) => {
    return response?.usage && costOf(response.usage, response.model ?? request?.model ?? model);
  });
  const known = costs.filter((cost) => cost !== undefined);
  const dollars = known.reduce((sum, cost) => sum + cost, 0);
  return { calls: calls.length, ...(known.length === calls.length && calls.length > 0 && { dollars }) };
}
