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

/** Of several prices, the last that holds on that day, at the hours that are not cheaper. */
function pricesOn(prices) {
  if (!Array.isArray(prices)) return prices;
  const holds = ({ constraint }) => constraint?.type !== 'start_date' || constraint.start_date <= date;
  return prices.findLast(holds).prices;
}

/** The form of a name in which `cost.ts` looks for it. */
const keyOf = (name) => name.toLowerCase().replace(/-v\d+(?::\d+)?$/, '');

/** Amazon's and Google's lists also have the models of others. */
const isOwn = (provider, name) =>
  (provider !== 'aws' || name.startsWith('amazon.')) && (provider !== 'google' || /^(?:gem|text-)/.test(name));

/** Other tokens than those of text have other prices, and recordings do not count them apart. */
const NOT_TEXT = /audio|realtime|transcribe|tts|image|live|voice|sonic|native|veo|imagen/;

const base = (price) => (typeof price === 'object' ? price.base : price);

const table = new Map();
for (const id of PROVIDERS) {
  for (const model of findProvider({ providerId: id }).models) {
    const prices = pricesOn(model.prices);
    const [input, output] = [base(prices.input_mtok), base(prices.output_mtok)];
    if (input === undefined) continue;
    const cached = base(prices.cache_read_mtok);
    const written = base(prices.cache_write_mtok);
    const row = [input, output ?? 0, ...((cached ?? written) ? [cached ?? input] : []), ...(written ? [written] : [])];
    for (const name of [model.id, ...namesIn(model.match)].map(keyOf))
      if (!table.has(name) && isOwn(id, name) && !NOT_TEXT.test(name)) table.set(name, JSON.stringify(row));
  }
}

/** A dated name with the price of its family needs no line of its own. */
const isRedundant = (name, row) => {
  const family = name.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, '');
  return family !== name && table.get(family) === row;
};
const models = new Map();
for (const [name, row] of [...table].sort(([left], [right]) => (left < right ? -1 : 1)))
  if (!isRedundant(name, row)) models.set(row, [...(models.get(row) ?? []), name]);
const lines = Array.from(models, ([row, names]) => `${JSON.parse(row).join(' ')}: ${names.join(' ')}\n`);

export const text = `// Written by test/harness/listPrices.mjs from @pydantic/genai-prices ${version} (MIT), published on ${date}.

export const PRICES_DATE = '${date}';

/**
 * List prices of the providers for pay-as-you-go text tokens, in US dollars per million tokens: input, output, cached input,
 * and input written to the cache, then the models, without date and version. What long contexts, batches, priority, audio,
 * and searches cost in addition is not included. Other models have no cost.
 */
export const LIST_PRICES = \`
${lines.join('')}\`;
`;

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('../../src/core/prices/listPrices.ts', import.meta.url), text);
