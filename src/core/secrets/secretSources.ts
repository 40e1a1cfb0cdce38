import { compilePattern, isRefused } from '../text/compilePattern';
import type { Environment } from './environmentSecrets';
import { projectSearch } from './projectSearch';
import type { SecretSearch } from './secretSearch';

/** What a search for secrets is made of, besides the environment, as plain data. */
export interface SecretSources {
  /** Secrets that are known, such as those of VS Code's secret storage. */
  readonly values: readonly string[];
  /** `[redact] patterns` of the project. */
  readonly patterns: readonly string[];
}

/** Makes searches for secrets; the last one is kept, because most tapes of a workspace have the same. */
export class SecretSearches {
  #last: { readonly key: string; readonly search: SecretSearch } | undefined;

  /** @param environment The variables of the process, absent in a browser. */
  constructor(private readonly environment?: Environment) {}

  of(sources: SecretSources): SecretSearch {
    const key = JSON.stringify([sources.patterns, sources.values]);
    if (this.#last?.key === key) return this.#last.search;
    const patterns = sources.patterns.flatMap((source) => {
      const pattern = compilePattern(source, 'javascript');
      return isRefused(pattern) ? [] : [pattern];
    });
    const environments = this.environment === undefined ? [] : [this.environment];
    const search = projectSearch({ values: sources.values, environments, patterns });
    this.#last = { key, search };
    return search;
  }
}
