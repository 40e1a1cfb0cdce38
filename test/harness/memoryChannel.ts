import type { Channel } from '../../src/contracts/rpc/rpc';

/** One end of an in-memory channel: messages arrive later, in order, as copies, as they do over stdio. */
export interface MemoryEnd extends Channel {
  /** The messages that this end has sent, oldest first. */
  readonly sent: unknown[];
  /** How many listen at this end. */
  listeners(): number;
  /** Delivers a raw message to this end at once. */
  receive(message: unknown): void;
}

export function memoryChannel(): { left: MemoryEnd; right: MemoryEnd } {
  const left = memoryEnd((message) => right.receive(message));
  const right: MemoryEnd = memoryEnd((message) => left.receive(message));
  return { left, right };
}

function memoryEnd(deliver: (message: unknown) => void): MemoryEnd {
  const listeners = new Set<(message: unknown) => void>();
  const sent: unknown[] = [];
  return {
    sent,
    send(message) {
      const text = JSON.stringify(message);
      sent.push(JSON.parse(text));
      setImmediate(() => deliver(JSON.parse(text)));
    },
    onMessage(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    listeners: () => listeners.size,
    receive(message) {
      for (const listener of listeners) listener(message);
    },
  };
}

/** Waits until every message in transit has arrived and its response too. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
