/** Names and values in turn, as pairs. */
export function headerPairs(raw: readonly string[]): (readonly [name: string, value: string])[] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : []));
}

/** The same by their names, which are in lower case. */
export function headersByName(raw: readonly string[]): Record<string, string | string[]> {
  const named: Record<string, string[]> = {};
  for (const [name, value] of headerPairs(raw)) {
    const key = name.toLowerCase();
    named[key] = [...(named[key] ?? []), value];
  }
  return Object.fromEntries(
    Object.entries(named).map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  );
}
