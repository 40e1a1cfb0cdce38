import type { ProviderSpec } from '../cases/case';
import { Fields } from '../cases/fields';
import { readProvider } from '../cases/readCase';
import type { Problem, Reading } from '../text/source';
import { readToml } from '../toml/tomlDocument';

/** `tapedeck.toml` at the root of a project. Every part is optional. */
export interface ProjectConfig {
  /** What Re-record uses for cases without a provider of their own. */
  readonly provider?: ProviderSpec;
}

/** Reads `tapedeck.toml`; there is a value only when nothing is wrong. */
export function readConfig(text: string): Reading<ProjectConfig> {
  const { value: document, problems: syntax } = readToml(text);
  if (document === undefined) return { value: undefined, problems: syntax };
  const problems: Problem[] = [];
  const provider = new Fields(document, problems).table('provider');
  const config: ProjectConfig = provider === undefined ? {} : { provider: readProvider(provider) };
  return { value: problems.length === 0 ? config : undefined, problems };
}
