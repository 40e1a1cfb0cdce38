import { compilePattern, isRefused, type Pattern } from '../../../src/core/text/compilePattern';
import type { PatternDialect } from '../../../src/core/text/patternDialect';

/** A pattern as a file has it, which must be valid. */
export function pattern(source: string, dialect: PatternDialect = 'javascript'): Pattern {
  const compiled = compilePattern(source, dialect);
  if (isRefused(compiled)) throw new Error(`${source}: ${compiled.reason}`);
  return compiled;
}
