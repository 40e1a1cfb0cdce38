import type { Lane } from './lane';
import type { MessagePrint } from './messagePrint';

/** So many conversations can be open at a time; the one that was longest silent is forgotten. */
const MAX_LANES = 256;
/** Of the conversations that share a message, so many are looked at. */
const MAX_CANDIDATES = 4;

/** Finds the conversations that a request may belong to, by the messages they share. */
export class LaneIndex {
  readonly #lanes = new Map<number, Lane>();
  /** By fingerprint, the latest conversations with that message; the last is the latest. */
  readonly #ids = new Map<number, number[]>();

  /** The closest first: what stands at the end of a request is the most its own. */
  candidates(prints: readonly MessagePrint[]): readonly Lane[] {
    const found = new Set<Lane>();
    for (let at = prints.length - 1; at >= 0 && found.size < MAX_CANDIDATES; at -= 1) {
      const print = prints[at];
      if (print === undefined) continue;
      for (const id of [...(this.#ids.get(print.whole) ?? []), ...(this.#ids.get(print.spoken) ?? [])].reverse()) {
        const lane = this.#lanes.get(id);
        if (lane !== undefined && found.size < MAX_CANDIDATES) found.add(lane);
      }
    }
    return [...found];
  }

  /** Adds a conversation, or what has become of it, with the fingerprints that it can be found by. */
  keep(lane: Lane, prints: readonly number[]): void {
    this.#lanes.delete(lane.id);
    this.#lanes.set(lane.id, lane);
    for (const print of prints) this.#note(print, lane.id);
    const [oldest] = this.#lanes.keys();
    if (this.#lanes.size > MAX_LANES && oldest !== undefined) this.#forget(oldest);
  }

  #note(print: number, id: number): void {
    const ids = this.#ids.get(print) ?? [];
    if (ids.at(-1) === id) return;
    this.#ids.set(print, [...ids.filter((other) => other !== id), id].slice(-MAX_CANDIDATES));
  }

  #forget(id: number): void {
    const lane = this.#lanes.get(id);
    this.#lanes.delete(id);
    for (const { print } of [...(lane?.request ?? []), ...(lane?.answers ?? [])]) {
      const left = (this.#ids.get(print) ?? []).filter((other) => other !== id);
      if (left.length === 0) this.#ids.delete(print);
      else this.#ids.set(print, left);
    }
  }
}
