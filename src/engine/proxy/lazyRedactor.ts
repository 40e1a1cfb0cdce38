import type { Redactor } from '../../core/secrets/redactor';
import { environmentSecrets } from '../../core/secrets/redactor';
import { compilePattern } from '../../core/text/compilePattern';

/** A redactor that is created when it is first needed: a replay of requests that match byte for byte needs none. */
export class LazyRedactor {
  /** Sources of regular expressions for what the project keeps out of its tapes. */
  readonly patterns: readonly string[];
  readonly #environment: Readonly<Record<string, string | undefined>>;
  #redactor: Promise<Redactor> | undefined;

  constructor(patterns: readonly string[], environment: Readonly<Record<string, string | undefined>>) {
    this.patterns = patterns;
    this.#environment = environment;
  }

  get(): Promise<Redactor> {
    this.#redactor ??= this.#make();
    return this.#redactor;
  }

  async #make(): Promise<Redactor> {
    const { createRedactor } = await import('../../core/secrets/redactor');
    return createRedactor({ values: environmentSecrets(this.#environment), patterns: this.patterns.map(compiled) });
  }
}

/** Throws rather than leaving a pattern out, which would let through what it is to hide. */
function compiled(source: string): RegExp {
  const pattern = compilePattern(source, 'javascript', 'g');
  if (pattern instanceof RegExp) return pattern;
  throw new SyntaxError(`invalid pattern in [redact]: ${pattern.reason}`);
}
