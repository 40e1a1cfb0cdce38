import { type OpenSocket, openSockets, programWith } from '../files/openSockets';
import { addressText, isPublicAddress } from '../network/publicAddress';

/** Much less than it takes to agree on a key with a server that is not near. */
const EVERY_MS = 20;
/** The share of the time that is spent on it at most, on a machine with many connections. */
const SHARE = 0.1;

/** What resolves names is asked by every program. */
const NAMES_PORT = 53;

/** A public address to which a program was connected. */
export interface ReachedAddress {
  readonly address: string;
  readonly program: string;
}

/**
 * Watches to which public addresses a program and what it starts are connected. It looks every now and then, so that a connection of a few
 * milliseconds may be missed, and one whose process has ended is not attributed. Linux only: elsewhere it sees nothing.
 */
export class ConnectionWatch {
  readonly #reached = new Map<string, ReachedAddress>();
  /** By the name of a socket, whether it is to be looked at again. */
  readonly #seen = new Map<string, 'once' | 'known'>();
  #root: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `pid`: of the program, which was just started. */
  begin(pid: number): void {
    if (process.platform !== 'linux') return;
    this.#root = pid;
    this.#look();
  }

  /** What was reached, in the order in which it was seen. */
  end(): readonly ReachedAddress[] {
    clearTimeout(this.#timer);
    return [...this.#reached.values()];
  }

  #look(): void {
    const start = performance.now();
    for (const socket of openSockets()) this.#see(socket);
    const took = performance.now() - start;
    this.#timer = setTimeout(() => this.#look(), Math.max(EVERY_MS, took / SHARE)).unref();
  }

  #see({ socket, transport, remote }: OpenSocket): void {
    const before = this.#seen.get(socket);
    if (before === 'known') return;
    const isOther = remote.port === NAMES_PORT || !isPublicAddress(remote.ip);
    // A program that sorts addresses connects a UDP socket to each for a moment, and sends nothing (RFC 6724).
    const isSure = isOther || transport === 'tcp' || before === 'once';
    this.#seen.set(socket, isSure ? 'known' : 'once');
    if (isOther || !isSure || this.#root === undefined) return;
    const program = programWith(socket, this.#root);
    const address = addressText(remote);
    if (program !== undefined) this.#reached.set(`${address} ${program}`, { address, program });
  }
}
