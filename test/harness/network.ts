import { KeyRing } from '../../src/engine/network/keyRing';
import { NetworkPolicy } from '../../src/engine/network/policy';

/** A recording whose keys may go to this machine, where test servers are. */
export function recordingWith(environment: Readonly<Record<string, string | undefined>> = {}): NetworkPolicy {
  return NetworkPolicy.for('record', keysOf(environment));
}

/** These variables alone, confirmed for this machine. */
export function keysOf(environment: Readonly<Record<string, string | undefined>>): KeyRing {
  const targets = Object.keys(environment).map((variable) => ({ host: '127.0.0.1', variable }));
  return KeyRing.confirmed((name) => environment[name], targets);
}
