import type { InteractionBody } from '../../src/core/transcript/transcript';

/** So much is kept of what nobody looks at, in UTF-16 units: to go back over a few screens, and not a tape of pictures. */
const MOST = 4_000_000;

interface Idle {
  readonly body: InteractionBody;
  readonly size: number;
}

/** Interactions that have left the page. What left it last stays longest. */
export class IdleBodies {
  readonly #idle = new Map<number, Idle>();
  #size = 0;

  get(interaction: number): InteractionBody | undefined {
    return this.#idle.get(interaction)?.body;
  }

  put(body: InteractionBody): void {
    this.drop(body.index);
    const size = textIn(body);
    this.#idle.set(body.index, { body, size });
    this.#size += size;
    for (const interaction of this.#idle.keys()) {
      if (this.#size <= MOST) return;
      this.drop(interaction);
    }
  }

  drop(interaction: number): void {
    this.#size -= this.#idle.get(interaction)?.size ?? 0;
    this.#idle.delete(interaction);
  }

  clear(): void {
    this.#idle.clear();
    this.#size = 0;
  }
}

/** The length of all texts in plain data. */
function textIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, member) => sum + textIn(member), 0);
}
