import type { Redactor } from '../../core/secrets/redactor';
import { environmentSecrets } from '../../core/secrets/redactor';

/** A redactor that is made when it is first needed: a replay of what is byte for byte on its tape needs none. */
export class LazyRedactor {
  /** Sources of regular expressions: what the project wants to keep out of its tapes. */
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
    const patterns = this.patterns.map((source) => new RegExp(source, 'g'));
    return createRedactor({ values: environmentSecrets(this.#environment), patterns });
  }
}
