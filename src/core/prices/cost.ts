import type { Interaction } from '../model/interaction';
import type { RetakeCost } from '../model/run';
import type { Usage } from '../model/usage';
import { type ModelPrice, PRICES, type PriceTable } from './priceTable';

const MILLION = 1e6;

/**
 * What tokens cost in US dollars; undefined where the model has no price. Prices are looked up under the model's own name
 * and under its family's (`gpt-4o` for `openai/gpt-4o-2024-08-06`); those of the project come first.
 */
export function costOf(usage: Usage, model: string | undefined, own: PriceTable = {}): number | undefined {
  const price = model === undefined ? undefined : priceOf(model, own);
  if (price === undefined) return undefined;
  const { fresh, cached, written, output } = billed(usage);
  const { input, cachedInput = input, cacheWrite = input } = price;
  return (fresh * input + cached * cachedInput + written * cacheWrite + output * price.output) / MILLION;
}

function priceOf(model: string, own: PriceTable): ModelPrice | undefined {
  const names = [model, familyOf(model)];
  const tables = [own, PRICES];
  for (const table of tables) for (const name of names) if (Object.hasOwn(table, name)) return table[name];
  return undefined;
}

/** A model without its place (`models/`, `us.anthropic.`) and without the date or version of its release. */
function familyOf(model: string): string {
  return model
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/^(?:(?:us|eu|apac|global)\.)?(?:anthropic|mistral|cohere)\./, '')
    .replace(/@\d{8}$/, '')
    .replace(/-v\d+(?::\d+)?$/, '')
    .replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, '')
    .replace(/^(claude-.+)-latest$/, '$1');
}

interface Billed {
  readonly fresh: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
}

/**
 * Providers count differently: Anthropic's cached tokens come on top of its input tokens, OpenAI's are among them; the
 * thoughts of Gemini come on top of its output tokens, those of others are among them. The total tells which it is.
 */
function billed(usage: Usage): Billed {
  const {
    promptTokens,
    completionTokens,
    totalTokens,
    cachedTokens = 0,
    cacheWriteTokens = 0,
    reasoningTokens = 0,
  } = usage;
  const apart = totalTokens - promptTokens - completionTokens;
  const cachedApart = cachedTokens + cacheWriteTokens > 0 && apart === cachedTokens + cacheWriteTokens;
  const thoughtsApart = !cachedApart && reasoningTokens > 0 && apart === reasoningTokens;
  return {
    fresh: cachedApart ? promptTokens : Math.max(0, promptTokens - cachedTokens - cacheWriteTokens),
    cached: cachedTokens,
    written: cacheWriteTokens,
    output: completionTokens + (thoughtsApart ? reasoningTokens : 0),
  };
}

/** The cost of recording again from an interaction, from 0, on; `model` is asked where the tape names none. */
export function retakeCost(interactions: readonly Interaction[], from: number, model?: string): RetakeCost {
  const calls = interactions.slice(from).filter(({ kind }) => kind === 'llm' || kind === 'embedding');
  const costs = calls.map(({ request, response }) => {
    const { usage, model: answered } = response ?? {};
    return usage && costOf(usage, answered ?? request?.model ?? model);
  });
  const known = costs.filter((cost) => cost !== undefined);
  const dollars = known.reduce((sum, cost) => sum + cost, 0);
  return { calls: calls.length, ...(known.length === calls.length && calls.length > 0 && { dollars }) };
}

/** `16 live calls, about $0.03`. */
export function formatRetakeCost({ calls, dollars }: RetakeCost): string {
  const counted = `${calls} live call${calls === 1 ? '' : 's'}`;
  if (dollars === undefined) return counted;
  return `${counted}, about $${dollars < 0.01 ? dollars.toPrecision(1) : dollars.toFixed(2)}`;
}
