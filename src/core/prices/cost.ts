import { omitUndefined } from '../json/fields';
import type { HttpExchange } from '../model/http';
import type { ChatRequest, ChatResponse } from '../model/message';
import type { Usage } from '../model/usage';
import { hostPricesOf } from './hosts';
import { HOST_PRICES, LIST_PRICES } from './listPrices';
import type { ModelPrice, PriceTable, TokenPrices } from './priceTable';

const MILLION = 1e6;
const THOUSAND = 1e3;

/** A recorded call, as far as its cost depends on it. */
interface PricedCall {
  readonly request?: Pick<ChatRequest, 'model'> | undefined;
  readonly response?: Pick<ChatResponse, 'model' | 'usage' | 'reportedCost'> | undefined;
  readonly http?: Pick<HttpExchange, 'url'> | undefined;
}

/**
 * What a recorded call cost in US dollars: as its provider says, or else by the price of the model that responded, or was asked for.
 * `model` is for a tape that names none. Undefined if that is unknown.
 */
export function costOfCall(call: PricedCall, own?: PriceTable, model?: string): number | undefined {
  const { request, response } = call;
  const { usage, reportedCost } = response ?? {};
  if (reportedCost !== undefined || usage === undefined) return reportedCost;
  const url = call.http?.url;
  return [response?.model, request?.model, model]
    .map((name) => costOf(usage, name, own, url))
    .find((cost) => cost !== undefined);
}

/**
 * The cost of one request in US dollars; undefined if the model has no price. Prices are looked up by the model's name and
 * its family's (`gpt-4o` for `openai/gpt-4o-2024-08-06`); the project's own prices come first. A host with prices of its own has no
 * others.
 */
export function costOf(usage: Usage, model: string | undefined, own?: PriceTable, url?: string): number | undefined {
  const price = model === undefined ? undefined : priceOf(model, own, url);
  return price && costAt(usage, pricesFor(usage, price));
}

/** A long context has other prices for the whole request. */
function pricesFor({ promptTokens }: Usage, price: ModelPrice): TokenPrices {
  const { longContext } = price;
  return longContext !== undefined && promptTokens > longContext.above ? longContext : price;
}

function costAt(usage: Usage, prices: TokenPrices): number {
  const { input, output, cachedInput = input, cacheWrite = input, requests = 0 } = prices;
  const { cacheWrite1h = cacheWrite, reasoning = output } = prices;
  const { fresh, cached, written, written1h, said, thought } = billed(usage);
  const read = fresh * input + cached * cachedInput + written * cacheWrite + written1h * cacheWrite1h;
  return (read + said * output + thought * reasoning) / MILLION + requests / THOUSAND;
}

/** The price of a model where it is called; undefined if it has none. */
export function priceOf(model: string, own: PriceTable = {}, url?: string): ModelPrice | undefined {
  const names = [model, model.toLowerCase(), familyOf(model)];
  for (const name of names) if (Object.hasOwn(own, name)) return own[name];
  const host = url === undefined ? undefined : hostPricesOf(url);
  const tables = [
    ...(host === undefined ? [] : [HOST_PRICES[host.prices ?? ''] ?? '']),
    ...(host === undefined || host.hasMakersPrices ? [LIST_PRICES] : []),
  ];
  for (const prices of tables.map(pricesAt))
    for (const name of (host?.namesOf?.(model) ?? names).map(dashed)) if (prices.has(name)) return prices.get(name);
  return undefined;
}

/** Versions are written with a point or a dash: `claude-sonnet-4.5`, `claude-sonnet-4-5`. */
function dashed(name: string): string {
  return name.replace(/(?<=\d)\.(?=\d)/g, '-');
}

/** The tables that were read, by their texts. */
const read = new Map<string, ReadonlyMap<string, ModelPrice>>();

function pricesAt(table: string): ReadonlyMap<string, ModelPrice> {
  const known = read.get(table) ?? new Map(Array.from(readPriceTable(table), ([name, price]) => [dashed(name), price]));
  read.set(table, known);
  return known;
}

/** The list prices of the makers by model. */
export function readListPrices(): ReadonlyMap<string, ModelPrice> {
  return readPriceTable(LIST_PRICES);
}

/** The prices of a table by model. */
export function readPriceTable(table: string): ReadonlyMap<string, ModelPrice> {
  return new Map(
    table
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) => {
        const [prices = '', names = ''] = line.split(': ');
        const price = readPrices(prices);
        return names.split(' ').map((name) => [name, price] as const);
      }),
  );
}

/** Reads such as `3 15 0.3 3.75 h6 >200000 6 22.5 0.6 7.5 h12`. */
function readPrices(text: string): ModelPrice {
  const [base = '', long] = text.split(' >');
  const [, above = '', tier = ''] = /^(\d+) (.*)$/.exec(long ?? '') ?? [];
  return { ...readTier(base), ...(long !== undefined && { longContext: { ...readTier(tier), above: Number(above) } }) };
}

function readTier(text: string): TokenPrices {
  const words = text.split(' ');
  const [input = 0, output = 0, cachedInput, cacheWrite] = words.filter((word) => /^\d/.test(word)).map(Number);
  const named = (letter: string): number | undefined => {
    const word = words.find((one) => one.startsWith(letter));
    return word === undefined ? undefined : Number(word.slice(1));
  };
  return {
    input,
    output,
    ...omitUndefined({
      cachedInput,
      cacheWrite,
      cacheWrite1h: named('h'),
      reasoning: named('r'),
      requests: named('q'),
    }),
  };
}

/** The model's name without prefixes (`models/`, `us.anthropic.`) and without the date or version of a release. */
function familyOf(model: string): string {
  return model
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/^(ft:[^:]*):.*$/, '$1')
    .replace(/^(?:us|eu|apac|jp|au|global)\./, '')
    .replace(/^(?:anthropic|mistral|cohere)\./, '')
    .replace(/@\d{8}$/, '')
    .replace(/-v\d+(?::\d+)?$/, '')
    .replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2}|\d{2}-20\d{2})$/, '')
    .replace(/^(deepseek.*)-\d{4}$/, '$1')
    .replace(/^((?:claude|gpt|o\d|grok).*)-latest$/, '$1');
}

interface Billed {
  readonly fresh: number;
  readonly cached: number;
  readonly written: number;
  readonly written1h: number;
  readonly said: number;
  readonly thought: number;
}

/** What each price is for: cached and written tokens are within the prompt, reasoning is within the completion. */
function billed(usage: Usage): Billed {
  const { promptTokens, completionTokens, cachedTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage;
  const written1h = Math.min(usage.cacheWrite1hTokens ?? 0, cacheWriteTokens);
  const thought = Math.min(reasoningTokens, completionTokens);
  return {
    fresh: Math.max(0, promptTokens - cachedTokens - cacheWriteTokens),
    cached: cachedTokens,
    written: cacheWriteTokens - written1h,
    written1h,
    said: completionTokens - thought,
    thought,
  };
}
