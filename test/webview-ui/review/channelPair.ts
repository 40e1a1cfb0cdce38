import type { Channel } from '../../../src/contracts/rpc/rpc';

/** Two ends of an asynchronous channel that carries JSON in order. */
export function channelPair(): readonly [Channel, Channel] {
  const listeners: [Set<(message: unknown) => void>, Set<(message: unknown) => void>] = [new Set(), new Set()];
  const end = (own: 0 | 1): Channel => ({
    send: (message) => {
      const text = JSON.stringify(message);
      setImmediate(() => {
        for (const listener of listeners[own === 0 ? 1 : 0]) listener(JSON.parse(text));
      });
    },
    onMessage: (listener) => {
      listeners[own].add(listener);
      return () => listeners[own].delete(listener);
    },
  });
  return [end(0), end(1)];
}
