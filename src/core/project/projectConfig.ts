import type { ProviderSpec } from '../cases/case';
import type { PriceTable } from '../prices/priceTable';
import { DEFAULT_RULES, type NormaliseRules } from '../review/normaliser';

/** `tapedeck.toml` at the root of a project. Every part is optional. */
export interface ProjectConfig {
  /** What Re-record uses for cases without a provider of their own. */
  readonly provider?: ProviderSpec;
  readonly proxy: ProxyConfig;
  /** What a review takes for the same: `[normalise]`. */
  readonly normalise: NormaliseRules;
  /** The project's own prices of models: `[prices]`. */
  readonly prices?: PriceTable;
}

/** How the traffic of agents is recorded: `[proxy]` and `[redact]`. */
export interface ProxyConfig {
  /** The format of new tapes. */
  readonly format?: string;
  /** Base URLs by the name of the API: `[proxy.upstream]`. */
  readonly upstreams: Readonly<Record<string, string>>;
  /** What must stay out of tapes, as sources of regular expressions: `[redact] patterns`. */
  readonly redactPatterns: readonly string[];
}

export const NO_CONFIG: ProjectConfig = { proxy: { upstreams: {}, redactPatterns: [] }, normalise: DEFAULT_RULES };
