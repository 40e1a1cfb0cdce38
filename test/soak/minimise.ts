/** The smallest input found, within a number of tries, that still fails: removes pieces, large ones first. */
export function minimise(bytes: Buffer, stillFails: (candidate: Buffer) => boolean, tries = 3000): Buffer {
  let smallest = bytes;
  let left = tries;
  for (let size = smallest.length >> 1; size >= 1 && left > 0; size >>= 1) {
    for (let at = 0; at < smallest.length && left > 0; left -= 1) {
      const candidate = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + size)]);
      if (stillFails(candidate)) smallest = candidate;
      else at += size;
    }
  }
  return smallest;
}
