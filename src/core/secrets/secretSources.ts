import { sha256Hex } from '../hash/digest';
import { compilePattern, isRefused } from '../text/compilePattern';
import { type Environment, environmentSecrets } from './environmentSecrets';
import { projectSearch } from './projectSearch';
import type { SecretSearch } from './secretSearch';

/** What a search for secrets is made of, besides the environment, as plain data. */
export interface SecretSources {
  /** Secrets that are known, such as those of VS Code's secret storage. */
  readonly values: readonly string[];
  /** `[redact] patterns` of the project. */
  readonly patterns: readonly string[];
}

const STAMP_DIGITS = 8;

/** Makes searches for secrets; the last one is kept, because most tapes of a workspace have the same. */
export class SecretSearches {
  #last: { readonly key: string; readonly search: SecretSearch } | undefined;
  #lastStamp: { readonly key: string; readonly stamp: string } | undefined;

  /** @param environment The variables of the process, absent in a browser. */
  constructor(private readonly environment?: Environment) {}

  /** A short text that is another one when something else is searched for. It is too short to tell a secret by. */
  stampOf(sources: SecretSources): string {
    const key = keyOf(sources);
    if (this.#lastStamp?.key === key) return this.#lastStamp.stamp;
    const known = this.environment === undefined ? [] : environmentSecrets(this.environment);
    const stamp = sha256Hex(JSON.stringify([key, [...known].sort()])).slice(0, STAMP_DIGITS);
    this.#lastStamp = { key, stamp };
    return stamp;
  }

  of(sources: SecretSources): SecretSearch {
    const key = keyOf(sources);
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

function keyOf({ patterns, values }: SecretSources): string {
  return JSON.stringify([patterns, values]);
}
