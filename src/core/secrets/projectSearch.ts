import type { Pattern } from '../text/compilePattern';
import { type Environment, environmentSecrets, partsOfSecrets } from './environmentSecrets';
import type { ProxyAddress } from './proxyAddress';
import { SecretSearch } from './secretSearch';

/** What is known to be secret in a project, besides the shapes and names that always are. */
export interface RedactionRules {
  /** Secrets that are known, such as those of the secret storage. Their parts count too, such as the password of a URL. */
  readonly values?: readonly string[];
  /** The variables of processes; those that are secrets are found by their names and values. */
  readonly environments?: readonly Environment[];
  /** Where proxies listen whose agents are recorded. */
  readonly proxies?: readonly ProxyAddress[];
  /** The project's own patterns: `[redact] patterns`. */
  readonly patterns?: readonly Pattern[];
}

/** The search of a project, which recording, verifying, and the Problems view share. */
export function projectSearch({
  values = [],
  environments = [],
  proxies = [],
  patterns = [],
}: RedactionRules): SecretSearch {
  return new SecretSearch({
    values: [
      ...partsOfSecrets(values),
      ...environments.flatMap(environmentSecrets),
      ...proxies.flatMap(({ secret }) => secret ?? []),
    ],
    ports: proxies.flatMap(({ port }) => port ?? []),
    patterns,
  });
}
