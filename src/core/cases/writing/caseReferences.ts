import type { Span } from '../../text/source';
import { readToml } from '../../toml/tomlDocument';

/** A text of a case that names something else: a tape, by its path from the case's folder, or the case itself. */
export interface CaseReference {
  readonly names: 'tape' | 'case';
  readonly value: string;
  /** Of the value with its quotes. */
  readonly span: Span;
}

/** What a case names. Empty while the text does not parse. */
export function caseReferences(text: string): readonly CaseReference[] {
  const { value: document } = readToml(text);
  if (document === undefined) return [];
  const { llm, name } = document.root;
  const tapes = typeof llm === 'object' && llm !== null && !Array.isArray(llm) ? Object.entries(llm) : [];
  const named = tapes.flatMap(([key, value]): CaseReference[] =>
    (key === 'tape' || key === 'record_tape') && typeof value === 'string'
      ? [{ names: 'tape', value, span: document.span(['llm', key]) }]
      : [],
  );
  return typeof name === 'string' ? [{ names: 'case', value: name, span: document.span(['name']) }, ...named] : named;
}
