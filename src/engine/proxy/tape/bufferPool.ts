/** Larger buffers are rare, and not kept between two uses. */
const LARGEST = 256 * 1024;
const SMALLEST = 4 * 1024;
/** How many of each size: as many as may be in use for clients at a time. */
const KEPT = 64;

/**
 * Buffers that are used again. Under load, new memory for each response would cost more than the rest of the response,
 * because the garbage collector has to reclaim it.
 */
export class BufferPool {
  readonly #free = new Map<number, Buffer[]>();

  /** A buffer of at least this length, with arbitrary content. */
  take(length: number): Buffer {
    const size = sizeFor(length);
    return (size <= LARGEST ? this.#free.get(size)?.pop() : undefined) ?? Buffer.allocUnsafeSlow(size);
  }

  /** Returns a buffer that is no longer used. */
  give(buffer: Buffer): void {
    const size = buffer.length;
    if (size > LARGEST) return;
    const free = this.#free.get(size);
    if (free === undefined) this.#free.set(size, [buffer]);
    else if (free.length < KEPT) free.push(buffer);
  }
}

function sizeFor(length: number): number {
  return length <= SMALLEST ? SMALLEST : 2 ** Math.ceil(Math.log2(length));
}
