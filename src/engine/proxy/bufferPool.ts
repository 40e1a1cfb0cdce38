/** Larger ones are rare, and worth no memory between two uses. */
const LARGEST = 256 * 1024;
const SMALLEST = 4 * 1024;
/** Of each size: as many as may be on their way to clients at a time. */
const KEPT = 64;

/**
 * Buffers that are used again. To take new memory for each answer costs a busy server more than all the rest of the
 * answer, because it is the garbage collector that has to bring it back.
 */
export class BufferPool {
  readonly #free = new Map<number, Buffer[]>();

  /** A buffer of at least this length, with whatever is in it. */
  take(length: number): Buffer {
    const size = sizeFor(length);
    return (size <= LARGEST ? this.#free.get(size)?.pop() : undefined) ?? Buffer.allocUnsafeSlow(size);
  }

  /** Gives a buffer back that nobody reads any more. */
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
