import * as vscode from 'vscode';
import type { Comparison, ComparisonParams } from '../../contracts/engine/comparisons';
import type { ChangeTexts, NamedChange, ReviewDecision } from '../../contracts/engine/review';
import type { Direction, SameChange, SameDecision } from '../../contracts/pages/reviewPanel';
import type { Decision } from '../../core/review/decisions';
import { t } from '../../core/text/l10n';
import { HumanError } from '../base/humanError';
import type { ReviewCalls } from '../engine/engineReviews';
import {
  type ComparisonAddress,
  isOnDisk,
  isSameReview,
  type ReviewAddress,
  sideOf,
  subjectOf,
  summaryAddress,
  writeReviewAddress,
} from '../stores/reviews/reviewAddress';
import type { QueuedReview, ReviewQueue } from '../stores/reviews/reviewQueue';
import type { ReviewStore } from '../stores/reviews/reviewStore';
import type { SameMember } from '../stores/reviews/sameChanges';
import { openChangeDiff } from './changeDiff';
import type { DocumentComparisons } from './documentComparisons';
import { fileReviewState, type ReviewContentState, type ReviewSituation, runReviewState } from './reviewPage';

export interface ReviewServices {
  /** Runs are shown from here, so that they can be read in Restricted Mode. */
  readonly store: ReviewStore;
  readonly reviews: ReviewCalls;
  readonly queue: ReviewQueue;
}

/** Shows and decides reviews, one after the other. Panel and list share it, so that either undoes decisions of the other. */
export class ReviewWorkflow {
  /** The changes that were found last, which a decision on the same change in all files applies to. */
  #same: readonly SameMember[] = [];
  #documents: DocumentComparisons | undefined;
  readonly queue: ReviewQueue;

  constructor(private readonly services: ReviewServices) {
    this.queue = services.queue;
  }

  get canDecide(): boolean {
    return this.services.reviews.canDecide;
  }

  async state(address: ReviewAddress): Promise<ReviewContentState> {
    const { store, reviews } = this.services;
    if (address.about === 'run') return runReviewState(address.uri, await store.get(address.uri));
    if (address.about === 'comparison') {
      const { comparisonState } = await import('./comparisonState');
      return comparisonState(address, await this.#comparison(address));
    }
    const params = subjectOf(address);
    return fileReviewState(params.subject, await reviews.review(params));
  }

  async texts(address: ReviewAddress, id: string): Promise<ChangeTexts> {
    const { store, reviews } = this.services;
    if (address.about === 'comparison') return this.#comparisonTexts(address, id);
    if (address.about === 'file') return reviews.changeTexts({ ...subjectOf(address), id });
    const { changes = [], hidden = [], problem } = (await store.get(address.uri)) ?? {};
    if (problem !== undefined) throw new HumanError(problem);
    const change = [...changes, ...hidden].find((one) => one.id === id);
    if (change === undefined)
      throw new HumanError(t('This change no longer exists: it was accepted, or the case has run again.'));
    return { before: change.before, after: change.after };
  }

  /** The engine compares files on disk. Other documents are compared here, which in a browser are all of them. */
  async #comparison(address: ComparisonAddress): Promise<Comparison> {
    if (isForEngine(address)) return this.services.reviews.comparison(paramsOf(address));
    return (await this.#documentComparisons()).comparison(address);
  }

  async #comparisonTexts(address: ComparisonAddress, id: string): Promise<ChangeTexts> {
    if (isForEngine(address)) return this.services.reviews.comparisonTexts({ ...paramsOf(address), id });
    return (await this.#documentComparisons()).texts(address, id);
  }

  async #documentComparisons(): Promise<DocumentComparisons> {
    const { DocumentComparisons } = await import('./documentComparisons');
    this.#documents ??= new DocumentComparisons();
    return this.#documents;
  }

  /** Returns the changes that were decided as well, because they belong to those of the decision. */
  async decide(address: ReviewAddress, decision: ReviewDecision): Promise<readonly NamedChange[]> {
    const results = this.queue.find(address)?.results ?? [];
    const subjects = results.map((one) => subjectOf(one).subject);
    return this.#change([address, ...results], () =>
      this.services.reviews.decide({ ...subjectOf(address), ...decision }, subjects),
    );
  }

  /** Finds the same change in all files. The next `decideSame` decides on exactly these. */
  async findSame(address: ReviewAddress, id: string): Promise<readonly SameChange[]> {
    const { same } = this.services.reviews;
    this.#same = same?.members(await this.queue.load(), address, id) ?? [];
    return same?.shown(this.#same) ?? [];
  }

  /** Decides on the changes that were found last, as one. */
  async decideSame(decision: SameDecision): Promise<readonly NamedChange[]> {
    const members = this.#same;
    this.#same = [];
    return this.#change(
      members.map(({ review }) => review.address),
      async () => {
        const { reviews } = this.services;
        if (reviews.same === undefined) return [];
        return reviews.decideTogether(reviews.same.decision(members, decision));
      },
    );
  }

  /** Decides on all pending changes of a review, and on those that belong to them, which it returns. */
  async decideAll(address: ReviewAddress, verdict: Decision): Promise<readonly NamedChange[]> {
    const { changes, stamp, notice } = await this.state(address);
    if (notice !== undefined) throw new HumanError(notice);
    const pending = changes.filter(({ decision }) => decision === 'open').map(({ id }) => id);
    return pending.length === 0 ? [] : this.decide(address, { verdict, changes: pending, stamp });
  }

  /** Reverts the last decision, on whatever review; without one, the last on `fallback`. Returns the review that it was made in. */
  async undo(fallback: ReviewAddress): Promise<ReviewAddress> {
    await this.queue.load();
    return this.undoOf(this.queue.lastDecision?.address ?? fallback);
  }

  /** Reverts the last decision on one review, with what was decided together. */
  async undoOf(address: ReviewAddress): Promise<ReviewAddress> {
    const { root, subject } = subjectOf(address);
    const undone: ReviewAddress[] = [address];
    await this.#change(undone, async () => {
      const folder = vscode.Uri.file(root);
      const subjects = await this.services.reviews.undo({ root, subject });
      undone.push(...subjects.map(({ kind, path }) => summaryAddress(folder, { kind, path })));
    });
    return address;
  }

  /** Puts the baseline, or the file, into git's index; with a tape, the baseline that is decided with it. */
  async stage(address: ReviewAddress): Promise<void> {
    const results = this.queue.find(address)?.results ?? [];
    for (const one of [address, ...results.filter(({ about }) => about === 'file')])
      await this.services.reviews.stage(subjectOf(one));
  }

  /** The review in which one is decided: a tape with what its recording has changed in the result of its case is one. */
  async shown(address: ReviewAddress): Promise<ReviewAddress> {
    if (address.about !== 'run') return address;
    await this.queue.load();
    return this.queue.holding(address)?.address ?? address;
  }

  /** Carries out a decision or its undo, and refreshes the affected reviews, which may be known only afterwards. */
  async #change<T>(addresses: readonly ReviewAddress[], act: () => Promise<T>): Promise<T> {
    const { store, queue } = this.services;
    try {
      return await act();
    } finally {
      for (const { about, uri } of addresses) {
        // A baseline is also one side of the review of its case.
        if (about === 'run') store.refresh(uri);
        else store.touch(uri);
      }
      queue.touch();
    }
  }

  situation(address: ReviewAddress): ReviewSituation {
    if (address.about === 'comparison')
      return { queue: { position: 0, total: 0, othersOpen: 0 }, canUndo: false, stageable: 0, same: {} };
    const queued = this.queue.entries.filter(needsDecision);
    const others = queued.filter((entry) => entry.open > 0 && !isSameReview(entry.address, address));
    return {
      queue: { position: positionIn(queued, address) + 1, total: queued.length, othersOpen: others.length },
      canUndo: this.queue.lastDecision !== undefined,
      stageable: queued.filter(isStageable).length,
      same: this.services.reviews.same?.count(this.queue.entries, address) ?? {},
    };
  }

  /** The review before or after one, with wrap-around; undefined when there is no other. */
  async neighbour(address: ReviewAddress, to: Direction): Promise<ReviewAddress | undefined> {
    if (address.about === 'comparison') return undefined;
    const all = await this.queue.load();
    const queued = all.filter((entry) => needsDecision(entry) || isSameReview(entry.address, address));
    const at = positionIn(queued, address);
    const inTurn = [...queued.slice(at + 1), ...queued.slice(0, Math.max(at, 0))];
    const wanted = to === 'open' ? inTurn.filter(({ open }) => open > 0) : inTurn;
    return wanted.at(to === 'previous' ? -1 : 0)?.address;
  }

  /** Opens a change in VS Code's own diff editor. */
  async openDiff(address: ReviewAddress, id: string): Promise<void> {
    const { caseName, against, compared, changes } = await this.state(address);
    const change = changes.find((candidate) => candidate.id === id);
    if (!change)
      throw new HumanError(t('This change no longer exists: it was accepted or rejected, or the file has changed.'));
    await openChangeDiff({ address: writeReviewAddress(address), name: caseName, against, compared, change });
  }
}

function isForEngine({ before, after }: ComparisonAddress): boolean {
  return isOnDisk(before.uri) && isOnDisk(after.uri);
}

function paramsOf({ before, after }: ComparisonAddress): ComparisonParams {
  return { before: sideOf(before), after: sideOf(after) };
}

/** Ignored differences need no decision, so the queue skips files that have only these. */
function needsDecision({ open, accepted, rejected }: QueuedReview): boolean {
  return open + accepted + rejected > 0;
}

/** The baseline of an accepted run is a review of its own. */
function isStageable({ kind, open, accepted }: QueuedReview): boolean {
  return kind !== 'run' && open === 0 && accepted > 0;
}

function positionIn(queued: readonly QueuedReview[], address: ReviewAddress): number {
  return queued.findIndex((entry) => isSameReview(entry.address, address));
}
