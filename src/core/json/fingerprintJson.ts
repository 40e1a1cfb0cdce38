import { isRecord } from './json';

/**
 * A 53-bit fingerprint of a value, after cyrb53 (bryc, public domain). Equal values have equal fingerprints. For
 * comparing within one process; never stored.
 */
export function fingerprintJson(value: unknown): number {
  const state = new FingerprintState();
  state.value(value);
  return state.finish();
}

/** Separates the pieces, so that adjacent texts cannot be confused. */
const MARK = { list: 1, record: 2, key: 3, text: 4, other: 5, end: 6 } as const;

class FingerprintState {
  #low = 0xdeadbeef;
  #high = 0x41c6ce57;

  /** Undefined members count as absent; the order of keys does not matter. */
  value(value: unknown): void {
    if (typeof value === 'string') this.#text(MARK.text, value);
    else if (Array.isArray(value)) {
      this.#add(MARK.list);
      for (const item of value) this.value(item);
      this.#add(MARK.end);
    } else if (isRecord(value)) {
      this.#add(MARK.record);
      for (const key of Object.keys(value).sort()) {
        if (value[key] === undefined) continue;
        this.#text(MARK.key, key);
        this.value(value[key]);
      }
      this.#add(MARK.end);
    } else this.#text(MARK.other, String(value));
  }

  finish(): number {
    let low = Math.imul(this.#low ^ (this.#low >>> 16), 2246822507);
    low ^= Math.imul(this.#high ^ (this.#high >>> 13), 3266489909);
    let high = Math.imul(this.#high ^ (this.#high >>> 16), 2246822507);
    high ^= Math.imul(this.#low ^ (this.#low >>> 13), 3266489909);
    return 4294967296 * (high & 2097151) + (low >>> 0);
  }

  #text(mark: number, text: string): void {
    this.#add(mark);
    this.#add(text.length);
    let low = this.#low;
    let high = this.#high;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      low = Math.imul(low ^ code, 2654435761);
      high = Math.imul(high ^ code, 1597334677);
    }
    this.#low = low;
    this.#high = high;
  }

  #add(word: number): void {
    this.#low = Math.imul(this.#low ^ word, 2654435761);
    this.#high = Math.imul(this.#high ^ word, 1597334677);
  }
}
