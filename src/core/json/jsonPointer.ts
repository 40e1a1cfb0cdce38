import type { JsonPath } from './jsonPath';

/** A pointer into JSON, RFC 6901, as its keys. In a pattern, `*` stands for any key. */
export type PointerPattern = readonly string[];

export function parsePointer(text: string): PointerPattern {
  return text
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function jsonPointer(path: JsonPath): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The patterns that lead through a key, from there on. One without keys covers the value with all that is in it. */
export function patternsBelow(patterns: readonly PointerPattern[], key: string): readonly PointerPattern[] {
  // Most keys have none, of which there are many.
  if (!patterns.some(([first = key]) => first === key || first === '*')) return NONE;
  return patterns.flatMap((pattern) => {
    const [first] = pattern;
    if (first === undefined) return [pattern];
    return first === key || first === '*' ? [pattern.slice(1)] : [];
  });
}

const NONE: readonly PointerPattern[] = [];

/** The patterns that lead through a path, from there on. */
export function patternsAt(patterns: readonly PointerPattern[], path: JsonPath): readonly PointerPattern[] {
  return path.reduce<readonly PointerPattern[]>((open, key) => patternsBelow(open, String(key)), patterns);
}

export function isCovered(patterns: readonly PointerPattern[]): boolean {
  return patterns.some(({ length }) => length === 0);
}
