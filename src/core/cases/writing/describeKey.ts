import type { Span } from '../../text/source';
import { tomlNameAt } from '../../toml/tomlCursor';
import { schemaAt } from './caseSchema';

export interface KeyDescription {
  readonly title: string;
  readonly about: string;
  /** The values it may have, where they are few, and the one it has when it is not written. */
  readonly choices: readonly string[];
  readonly default?: string;
  readonly span: Span;
}

/** What the key or table at `offset` of a case is for; undefined where there is none that a case has. */
export function describeKey(text: string, offset: number): KeyDescription | undefined {
  const named = tomlNameAt(text, offset);
  const schema = named && schemaAt(named.path);
  if (named === undefined || schema === undefined || named.path.length === 0) return undefined;
  return {
    title: named.path.join('.'),
    about: schema.description,
    choices: schema.enum ?? [],
    ...(schema.default === undefined ? {} : { default: String(schema.default) }),
    span: named.span,
  };
}
