/** Numbers from 0 to 1, the same for the same seed: mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The bytes with a few of them flipped, a part cut off, or a part doubled. */
export function mutate(bytes: Uint8Array, random: () => number): Uint8Array {
  const at = (): number => Math.floor(random() * bytes.length);
  const kind = Math.floor(random() * 4);
  if (kind === 0) return bytes.slice(0, at());
  const [start, end] = [at(), at()].sort((left, right) => left - right) as [number, number];
  if (kind === 1) return new Uint8Array([...bytes.subarray(0, end), ...bytes.subarray(start)]);
  if (kind === 2) return new Uint8Array([...bytes.subarray(0, start), ...bytes.subarray(end)]);
  const changed = bytes.slice();
  for (let flips = 1 + Math.floor(random() * 8); flips > 0; flips -= 1) {
    const place = at();
    changed[place] = ((changed[place] ?? 0) ^ (1 << Math.floor(random() * 8))) & 0xff;
  }
  return changed;
}
