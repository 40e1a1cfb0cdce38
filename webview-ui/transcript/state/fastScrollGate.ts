/** Milliseconds; an interaction that leaves the page sooner was only scrolled past. */
const FAST_PASS_MS = 150;
/** Milliseconds that an interaction has to stay on the page during a fast scroll before it is shown. */
const STAY_MS = 100;

/**
 * Decides when an interaction that comes onto the page is shown: at once, or, during a fast scroll, when it has stayed for
 * a while. An interaction that is only scrolled past cannot be read, and rendering it would leave garbage by the hundred
 * megabytes.
 */
export class FastScrollGate {
  /** When each interaction came onto the page. */
  readonly #entered = new Map<number, number>();
  readonly #show: (interaction: number) => void;
  /** Interactions of the current task, which wait together. */
  #waiting: number[] = [];
  #isFastUntil = 0;

  constructor(show: (interaction: number) => void) {
    this.#show = show;
  }

  enter(interaction: number): void {
    const now = performance.now();
    if (!this.#entered.has(interaction)) this.#entered.set(interaction, now);
    if (now < this.#isFastUntil) this.#wait(interaction);
    else this.#show(interaction);
  }

  leave(interaction: number): void {
    const now = performance.now();
    if (now - (this.#entered.get(interaction) ?? 0) < FAST_PASS_MS) this.#isFastUntil = now + STAY_MS;
    this.#entered.delete(interaction);
  }

  #wait(interaction: number): void {
    if (this.#waiting.length === 0) queueMicrotask(() => this.#startTimer());
    this.#waiting.push(interaction);
  }

  #startTimer(): void {
    const waiting = new Set(this.#waiting);
    this.#waiting = [];
    setTimeout(() => {
      for (const interaction of waiting) if (this.#entered.has(interaction)) this.#show(interaction);
    }, STAY_MS);
  }
}
