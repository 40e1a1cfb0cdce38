import { readPassedVariables } from '../cases/toml/externalAgent';
import { readProvider } from '../cases/toml/readCase';
import { readReplayRules } from '../cases/toml/replaySpec';
import { MASK_PRESETS } from '../match/masks';
import type { ModelPrice, PriceTable } from '../prices/priceTable';
import { DEFAULT_RULES, type NormalisePattern, type NormaliseRules } from '../review/compare/normaliser';
import { compilePattern, isRefused, type RefusedPattern } from '../text/compilePattern';
import { t } from '../text/l10n';
import type { ParseResult, Problem } from '../text/source';
import { readToml } from '../toml/readToml';
import { TableReader } from '../toml/tableReader';
import { findUnknownKeys } from '../toml/tableSchema';
import { CONFIG_SCHEMA } from './configSchema';
import type { ProjectConfig, ProxyConfig, VerifyConfig } from './projectConfig';

/** Reads `tapedeck.toml`; there is a value only if there are no errors. Keys that nobody reads are reported after those. */
export function readConfig(text: string): ParseResult<ProjectConfig> {
  const { value: document, problems: syntax } = readToml(text);
  if (document === undefined) return { value: undefined, problems: syntax };
  const problems: Problem[] = [];
  const root = new TableReader(document, problems);
  const provider = root.table('provider');
  const prices = root.table('prices');
  const agent = root.table('agent');
  const config: ProjectConfig = {
    ...(provider && { provider: readProvider(provider) }),
    ...(prices && { prices: readPrices(prices) }),
    ...(agent && { passedVariables: readPassedVariables(agent) }),
    replay: readReplayRules(root.table('replay')),
    proxy: readProxy(root),
    normalise: readNormaliseRules(root.table('normalise')),
    verify: readVerify(root.table('verify')),
  };
  const unread = findUnknownKeys(document, CONFIG_SCHEMA);
  return { value: problems.length === 0 ? config : undefined, problems: [...problems, ...unread] };
}

function readVerify(verify: TableReader | undefined): VerifyConfig {
  const exempt = verify?.tables('exempt') ?? [];
  return {
    cachePrefix: verify?.flag('cache_prefix') ?? false,
    exempt: exempt.map((one) => {
      one.requiredChoice('rule', ['cache-prefix'], t('this rule has no exemptions'));
      return { tape: one.requiredText('tape'), reason: one.requiredText('reason') };
    }),
  };
}

function readProxy(root: TableReader): ProxyConfig {
  const proxy = root.table('proxy');
  const format = proxy?.text('format');
  return {
    ...(format === undefined ? {} : { format }),
    ...(proxy?.has('record') && { record: proxy.texts('record') }),
    ignore: proxy?.texts('ignore') ?? [],
    upstreams: proxy?.table('upstream')?.textMembers() ?? {},
    rules: readReplayRules(proxy),
    redactPatterns: readPatterns(root.table('redact')),
  };
}

function readPatterns(redact: TableReader | undefined): readonly string[] {
  const patterns = redact?.texts('patterns') ?? [];
  return patterns.filter((source) => {
    const compiled = compilePattern(source, 'javascript');
    if (isRefused(compiled)) redact?.report(refusal(source, compiled), t('Correct it.'), 'patterns');
    return !isRefused(compiled);
  });
}

function refusal(source: string, { reason, isUnsupported }: RefusedPattern): string {
  return isUnsupported
    ? t('Tapedeck does not support this regular expression: {0} has {1}', source, reason)
    : t('invalid regular expression: {0}', source);
}

/** Reads `[normalise]` of `tapedeck.toml`. */
function readNormaliseRules(normalise: TableReader | undefined): NormaliseRules {
  if (normalise === undefined) return DEFAULT_RULES;
  const timing = readTolerance(normalise, 'timing_tolerance');
  return {
    presets: normalise.has('presets') ? readPresets(normalise) : DEFAULT_RULES.presets,
    patterns: normalise.tables('patterns').flatMap(readPattern),
    ignore: normalise.texts('ignore'),
    usageTolerance: readTolerance(normalise, 'usage_tolerance') ?? DEFAULT_RULES.usageTolerance,
    ...(timing !== undefined && { timingTolerance: timing }),
  };
}

function readPresets(normalise: TableReader): readonly string[] {
  const known = MASK_PRESETS.map(({ name }) => name);
  const wanted = normalise.texts('presets');
  for (const name of wanted)
    if (!known.includes(name))
      normalise.report(t('unknown preset: {0}', name), t('Available presets: {0}.', known.join(', ')), 'presets');
  return wanted.filter((name) => known.includes(name));
}

function readPattern(table: TableReader): readonly NormalisePattern[] {
  const name = table.requiredText('name');
  const source = table.requiredText('pattern');
  const pattern = compilePattern(source, 'javascript');
  if (!isRefused(pattern)) return [{ name, pattern }];
  table.report(refusal(source, pattern), t('Correct it.'), 'pattern');
  return [];
}

/** A tolerance as a part of the value, such as 0.1 for ten per cent. */
function readTolerance(normalise: TableReader, key: string): number | undefined {
  const value = normalise.json(key);
  if (value === undefined || (typeof value === 'number' && value >= 0)) return value;
  normalise.report(t('`{0}` must be a non-negative number', key), t('For example, use 0.1 for 10%.'), key);
  return undefined;
}

/**
 * `[prices]` of `tapedeck.toml`: by model, US dollars for a million tokens.
 * `"my-model" = { input = 0.5, output = 1.5, cached_input = 0.05, cache_write = 0.6 }`
 */
export function readPrices(prices: TableReader): PriceTable {
  return Object.fromEntries(prices.keys().flatMap((model) => readPrice(prices, model)));
}

function readPrice(prices: TableReader, model: string): [string, ModelPrice][] {
  const price = prices.table(model);
  if (price === undefined) return [];
  const input = price.amount('input');
  const output = price.amount('output');
  const cachedInput = price.amount('cached_input');
  const cacheWrite = price.amount('cache_write');
  if (input === undefined || output === undefined) {
    if (!price.has('input') || !price.has('output'))
      price.report(t('a price needs `input` and `output`'), t('Add both, in US dollars per million tokens.'));
    return [];
  }
  const kept = {
    ...(cachedInput === undefined ? {} : { cachedInput }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
  return [[model, { input, output, ...kept }]];
}
