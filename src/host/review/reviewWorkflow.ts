import type { DecidedChanges } from '../../protocol/review';
import type { Direction, QueuePlace } from '../../protocol/reviewPanel';
import { HumanError } from '../base/humanError';
import { isSameReview, type ReviewAddress, writeReviewAddress } from '../stores/reviewAddress';
import type { QueuedReview, ReviewQueue } from '../stores/reviewQueue';
import { openChangeDiff } from './changeDiff';
import { type ReviewSource, type ReviewSources, sourceOf } from './reviewSource';

/** Where reviews are decided, one after the other: panel and list share it, so that either takes back what the other did. */
export class ReviewWorkflow {
  readonly #decided: ReviewAddress[] = [];

  constructor(
    private readonly sources: ReviewSources,
    readonly queue: ReviewQueue,
  ) {}

  get canDecide(): boolean {
    return this.sources.decider.canDecide;
  }

  source(address: ReviewAddress): ReviewSource {
    return sourceOf(address, this.sources);
  }

  async decide(address: ReviewAddress, verdict: 'accept' | 'reject', decision: DecidedChanges): Promise<void> {
    try {
      await this.source(address)[verdict](decision);
      this.#decided.push(address);
    } finally {
      this.queue.touch();
    }
  }

  /** Decides about all of a review that is still open. */
  async decideAll(address: ReviewAddress, verdict: 'accept' | 'reject'): Promise<void> {
    const { changes, stamp, notice } = await this.source(address).state();
    const open = changes.filter(({ decision }) => decision === 'open').map(({ id }) => id);
    if (notice !== undefined) throw new HumanError(notice);
    if (open.length > 0) await this.decide(address, verdict, { ids: open, stamp });
  }

  /** Takes back the last decision that was made here, wherever that was, or else the last about `fallback`. */
  async undo(fallback: ReviewAddress): Promise<ReviewAddress> {
    return this.undoOf(this.#decided.at(-1) ?? fallback);
  }

  /** Takes back the last decision about one review. */
  async undoOf(address: ReviewAddress): Promise<ReviewAddress> {
    try {
      await this.source(address).undo();
      const last = this.#decided.findLastIndex((one) => isSameReview(one, address));
      if (last !== -1) this.#decided.splice(last, 1);
    } finally {
      this.queue.touch();
    }
    return address;
  }

  placeInQueue(address: ReviewAddress): QueuePlace {
    const queued = this.queue.entries.filter(needsDecision);
    const others = queued.filter((entry) => entry.open > 0 && !isSameReview(entry.address, address));
    return { position: positionIn(queued, address) + 1, total: queued.length, othersOpen: others.length };
  }

  /** The review before or after one, round and round; undefined when there is no other. */
  async neighbour(address: ReviewAddress, to: Direction): Promise<ReviewAddress | undefined> {
    const all = await this.queue.load();
    const queued = all.filter((entry) => needsDecision(entry) || isSameReview(entry.address, address));
    const at = positionIn(queued, address);
    const inTurn = [...queued.slice(at + 1), ...queued.slice(0, Math.max(at, 0))];
    const wanted = to === 'open' ? inTurn.filter(({ open }) => open > 0) : inTurn;
    return wanted.at(to === 'previous' ? -1 : 0)?.address;
  }

  /** Opens a change in VS Code's own diff editor. */
  async openDiff(address: ReviewAddress, id: string): Promise<void> {
    const { caseName, against, changes } = await this.source(address).state();
    const change = changes.find((candidate) => candidate.id === id);
    if (!change) throw new HumanError('This change is gone: it was decided, or the file was written again.');
    await openChangeDiff({ address: writeReviewAddress(address), name: caseName, against, change });
  }
}

/** Noise needs no decision, so nobody is led through it. */
function needsDecision({ open, accepted, rejected }: QueuedReview): boolean {
  return open + accepted + rejected > 0;
}

function positionIn(queued: readonly QueuedReview[], address: ReviewAddress): number {
  return queued.findIndex((entry) => isSameReview(entry.address, address));
}
