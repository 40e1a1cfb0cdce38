#!/usr/bin/env node
// node test/harness/listPrices.mjs   writes src/core/prices/listPrices.ts from the installed @pydantic/genai-prices
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { findProvider } from '@pydantic/genai-prices';

/** The day on which that version was published: `npm view @pydantic/genai-prices time`. */
const PUBLISHED = { '0.1.8': '2026-09-23' };
const { version } = createRequire(import.meta.url)('../../node_modules/@pydantic/genai-prices/package.json');
const date = PUBLISHED[version];
if (date === undefined) throw new Error(`add the day on which @pydantic/genai-prices ${version} was published`);

/** A model that several of them offer has the price of the first. Those that only resell other models are left out. */
const MAKERS = ['openai', 'anthropic', 'google', 'mistral', 'cohere', 'deepseek', 'x-ai', 'aws', 'perplexity'];
const PROVIDERS = [...MAKERS, 'moonshotai', 'zai', 'minimax', 'voyageai', 'groq'];

/** The names that a match accepts as they are, or as a beginning. */
function namesIn(match) {
  if (match.or) return match.or.flatMap(namesIn);
  return [match.equals, match.starts_with].filter((name) => name !== undefined && !/-$|-20\d\d$|[@/]/.test(name));
}

/** Of several prices, the dearest that holds at some hour of that day: a cheaper one needs that somebody waits for the night. */
function pricesOn(prices) {
  if (!Array.isArray(prices)) return prices;
  const isFrom = ({ constraint }) => constraint === undefined || constraint.type === 'start_date';
  const holds = (one) => isFrom(one) && (one.constraint === undefined || one.constraint.start_date <= date);
  const atSomeHour = prices.slice(prices.findLastIndex(holds)).filter((one) => holds(one) || !isFrom(one));
  return atSomeHour.map((one) => one.prices).reduce((dear, one) => (one.input_mtok > dear.input_mtok ? one : dear));
}

/** The form of a name in which `cost.ts` looks for it. */
const keyOf = (name) => name.toLowerCase().replace(/-v\d+(?::\d+)?$/, '');

/** Amazon's and Google's lists also have the models of others. */
const isOwn = (provider, name) =>
  (provider !== 'aws' || name.startsWith('amazon.')) && (provider !== 'google' || /^(?:gem|text-)/.test(name));

/** Other tokens than those of text have other prices, and recordings do not count them apart. */
const NOT_TEXT = /audio|realtime|transcribe|tts|image|live|voice|sonic|native|veo|imagen/;

/** The prices of a tier as `cost.ts` reads them: input, output, cached, written, then those that few models have, with a letter. */
function rowOf(prices, at = (price) => (typeof price === 'object' ? price.base : price)) {
  const [input, output = 0, cached, written, hour, reasoning, requests] = [
    prices.input_mtok,
    prices.output_mtok,
    prices.cache_read_mtok,
    prices.cache_write_mtok,
    prices.cache_write_1h_mtok,
    prices.output_reasoning_mtok,
    prices.requests_kcount,
  ].map((price) => price && at(price));
  return [
    input,
    output,
    ...((cached ?? written) ? [cached ?? input] : []),
    ...(written ? [written] : []),
    ...(hour ? [`h${hour}`] : []),
    ...(reasoning ? [`r${reasoning}`] : []),
    ...(requests ? [`q${requests}`] : []),
  ];
}

/** The prices of a request whose input is longer than the start of its tier. */
function tierOf(prices) {
  const tiered = Object.values(prices).filter((price) => typeof price === 'object');
  if (tiered.length === 0) return [];
  const starts = new Set(tiered.flatMap(({ tiers }) => tiers.map(({ start }) => start)));
  if (starts.size > 1) throw new Error(`more than one tier: ${JSON.stringify(prices)}`);
  return [`>${[...starts]}`, ...rowOf(prices, (price) => (typeof price === 'object' ? price.tiers[0].price : price))];
}

const table = new Map();
/** The provider whose price a name has, for the test. */
export const providers = new Map();
for (const id of PROVIDERS) {
  for (const model of findProvider({ providerId: id }).models) {
    const prices = pricesOn(model.prices);
    if (prices.input_mtok === undefined) continue;
    const row = JSON.stringify([...rowOf(prices), ...tierOf(prices)]);
    for (const name of [model.id, ...namesIn(model.match)].map(keyOf)) {
      if (table.has(name) || !isOwn(id, name) || NOT_TEXT.test(name)) continue;
      table.set(name, row);
      providers.set(name, id);
    }
  }
}

/** A dated name with the price of its family needs no line of its own. */
const isDated = (name, row) => {
  const family = name
    .replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, '')
    .replace(/^((?:claude|gpt|o\d|grok).*)-latest$/, '$1');
  return family !== name && table.get(family) === row;
};

/** Nor does one that `cost.ts` takes for the name of another: with a dash in place of a point in its version. */
const dashed = (name) => name.replace(/(?<=\d)\.(?=\d)/g, '-');
const byDashed = new Map([...table.keys()].reverse().map((name) => [dashed(name), name]));
const isRedundant = (name, row) => isDated(name, row) || byDashed.get(dashed(name)) !== name;
for (const [name, row] of table)
  if (table.get(byDashed.get(dashed(name))) !== row) throw new Error(`${name} has another price with dashes`);
const models = new Map();
for (const [name, row] of [...table].sort(([left], [right]) => (left < right ? -1 : 1)))
  if (!isRedundant(name, row)) models.set(row, [...(models.get(row) ?? []), name]);
const linesOf = (models) => Array.from(models, ([row, names]) => `${JSON.parse(row).join(' ')}: ${names.join(' ')}\n`);

/** Those that serve the models of others at prices of their own; `src/core/prices/hosts.ts` has where. */
const HOSTS = ['aws', 'azure', 'cerebras', 'fireworks', 'groq', 'together'];

/** The names that a match accepts, as a whole or within another. Amazon's prices of a region are those without `global.`. */
function hostNamesIn(match) {
  if (match.or) return match.or.flatMap(hostNamesIn);
  const names = [match.equals, match.starts_with, match.contains, match.ends_with].filter((name) => name !== undefined);
  return names.map((name) => name.toLowerCase().replace(/^regional\./, ''));
}

/** Amazon's name of a model without the region that it stays in: `bedrockNames` of `hosts.ts` does the same. */
const placeless = (name) => name.replace(/^(?:us|us-gov|eu|apac|jp|au|ca|in)\./, '');

/** The lines of a host, by its names of models as a request has them. */
function hostLines(id) {
  const rows = new Map();
  for (const model of findProvider({ providerId: id }).models) {
    const prices = pricesOn(model.prices);
    if (prices.input_mtok === undefined) continue;
    const row = JSON.stringify([...rowOf(prices), ...tierOf(prices)]);
    const names = [model.id.toLowerCase().replace(/^regional\./, ''), ...hostNamesIn(model.match)].map(keyOf);
    for (const name of names) if (!rows.has(name) && !NOT_TEXT.test(name)) rows.set(name, row);
  }
  for (const [name, row] of rows) if (name !== placeless(name) && rows.get(placeless(name)) === row) rows.delete(name);
  const models = new Map();
  for (const [name, row] of [...rows].sort(([left], [right]) => (left < right ? -1 : 1)))
    models.set(row, [...(models.get(row) ?? []), name]);
  return linesOf(models);
}

export const text = `// Written by test/harness/listPrices.mjs from @pydantic/genai-prices ${version} (MIT), published on ${date}.

/**
 * List prices of the providers for pay-as-you-go text tokens, in US dollars per million tokens: input, output, cached input,
 * and input written to the cache; h is kept there for an hour, r reasoning, q a thousand requests; after > the prices of
 * a request with more input tokens than that. Then the models, without date and version. Other models have no cost, and what
 * batches, priority, audio, and searches cost is not included.
 */
export const LIST_PRICES = \`
${linesOf(models).join('')}\`;

/** The same of hosts that serve the models of others at prices of their own. */
export const HOST_PRICES: Readonly<Record<string, string>> = {
${HOSTS.map((id) => `  ${id}: \`\n${hostLines(id).join('')}\`,\n`).join('')}};
`;

export const dateText = `// Written by test/harness/listPrices.mjs.

/** The day of the list prices. */
export const PRICES_DATE = '${date}';
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../../src/core/prices/listPrices.ts', import.meta.url), text);
  writeFileSync(new URL('../../src/core/prices/pricesDate.ts', import.meta.url), dateText);
}
