import type { ProviderSpec, ReplayRules } from '../model/case';
import type { NormaliseRules } from '../model/normalise';
import type { PriceTable } from '../prices/priceTable';
import { DEFAULT_RULES } from '../review/compare/normaliser';
import type { DeclaredLayout } from '../tapes/layoutSchema';
import type { VerifyExemption } from '../verify/brokenPrefixes';

/** `tapedeck.toml` at the root of a project. Every part is optional. */
export interface ProjectConfig {
  /** The provider that Re-record uses for cases without one. */
  readonly provider?: ProviderSpec;
  /** `[replay]`: how requests are matched, where a case or a command has no rule of its own. */
  readonly replay: ReplayRules;
  readonly proxy: ProxyConfig;
  /** `[agent] pass_env`: variables that the user's own agents get besides the usual ones. */
  readonly passedVariables?: readonly string[];
  /** The rules by which a review treats values as equal: `[normalise]`. */
  readonly normalise: NormaliseRules;
  /** The project's own prices of models: `[prices]`. */
  readonly prices?: PriceTable;
  readonly verify: VerifyConfig;
  /** The layouts of recordings of its own: `[[tapes.layout]]`. */
  readonly layouts: readonly DeclaredLayout[];
}

/** `[verify]`. */
interface VerifyConfig {
  /** Whether requests that break a cached prefix are reported. */
  readonly cachePrefix: boolean;
  readonly exempt: readonly VerifyExemption[];
}

/** The settings for recording agents: `[proxy]` and `[redact]`. */
export interface ProxyConfig {
  /** The format of new tapes. */
  readonly format?: string;
  /** Base URLs by the name of the API: `[proxy.upstream]`. */
  readonly upstreams: Readonly<Record<string, string>>;
  /** The hosts whose requests are recorded, by their own address; all of them where this is absent. */
  readonly record?: readonly string[];
  /** Hosts whose requests are not recorded, and refused in a replay. */
  readonly ignore: readonly string[];
  /** How `exec` and `serve` match requests; before `[replay]`. */
  readonly rules: ReplayRules;
  /** Sources of regular expressions for text that must not be recorded: `[redact] patterns`. */
  readonly redactPatterns: readonly string[];
}

export const NO_CONFIG: ProjectConfig = {
  replay: { masks: [] },
  proxy: { upstreams: {}, ignore: [], rules: { masks: [] }, redactPatterns: [] },
  normalise: DEFAULT_RULES,
  verify: { cachePrefix: false, exempt: [] },
  layouts: [],
};
