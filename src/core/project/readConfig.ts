import { caseRules } from '../cases/toml/normalise';
import { providerSpec } from '../cases/toml/provider';
import { replayRules } from '../cases/toml/replaySpec';
import type { NormaliseRules } from '../model/normalise';
import type { ModelPrice, PriceTable } from '../prices/priceTable';
import { DEFAULT_RULES } from '../review/compare/normaliser';
import type { Value } from '../schema/schema';
import { unknownKeys } from '../schema/unknownKeys';
import type { ParseResult, Problem } from '../text/source';
import { readToml } from '../toml/readToml';
import { readDocument, unknownKeyProblem } from '../toml/tomlPlace';
import { CONFIG } from './configSchema';
import type { ProjectConfig } from './projectConfig';

type Config = Value<typeof CONFIG>;

/** Reads `tapedeck.toml`; there is a value only if there are no errors. Keys that nobody reads are reported after those. */
export function readConfig(text: string): ParseResult<ProjectConfig> {
  const { value: document, problems: syntax } = readToml(text);
  if (document === undefined) return { value: undefined, problems: syntax };
  const problems: Problem[] = [];
  const config = readDocument(CONFIG, document, problems);
  const unread = unknownKeys(CONFIG, document.root).map((unknown) => unknownKeyProblem(document, unknown));
  return { value: problems.length === 0 ? projectConfig(config) : undefined, problems: [...problems, ...unread] };
}

function projectConfig({
  provider,
  replay,
  agent,
  proxy,
  redact,
  normalise,
  verify,
  prices,
  tapes,
}: Config): ProjectConfig {
  const { format, record, ignore = [], upstream: upstreams = {} } = proxy ?? {};
  return {
    ...(provider && { provider: providerSpec(provider) }),
    ...(prices && { prices: priceTable(prices) }),
    ...(agent && { passedVariables: agent.pass_env ?? [] }),
    replay: replayRules(replay),
    proxy: {
      ...(format !== undefined && { format }),
      ...(record && { record }),
      ignore,
      upstreams,
      rules: replayRules(proxy),
      redactPatterns: redact?.patterns ?? [],
    },
    normalise: normaliseRules(normalise),
    layouts: tapes?.layout ?? [],
    verify: { cachePrefix: verify?.cache_prefix ?? false, exempt: verify?.exempt ?? [] },
  };
}

function normaliseRules(normalise: Config['normalise']): NormaliseRules {
  if (normalise === undefined) return DEFAULT_RULES;
  const { presets = DEFAULT_RULES.presets } = normalise;
  return { ...DEFAULT_RULES, ...caseRules(normalise), presets };
}

function priceTable(prices: NonNullable<Config['prices']>): PriceTable {
  return Object.fromEntries(
    Object.entries(prices).map(([model, { input, output, cached_input: cachedInput, cache_write: cacheWrite }]) => {
      const price: ModelPrice = {
        input,
        output,
        ...(cachedInput !== undefined && { cachedInput }),
        ...(cacheWrite !== undefined && { cacheWrite }),
      };
      return [model, price];
    }),
  );
}
