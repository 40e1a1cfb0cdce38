import { REVIEW_CHANGED, type ReviewHost, type ReviewState } from '../../src/protocol/review';
import type { Api, Guard, RpcPeer } from '../../src/protocol/rpc';
import { decidedIds, followUp, neighbour, openChanges } from './reviewModel';
import { outcome } from './words';

export type Verdict = 'accept' | 'reject';

export interface ReviewView {
  /** Undefined until the host has answered. */
  readonly state: ReviewState | undefined;
  /** The id of the change that is looked at; undefined when nothing is left. */
  readonly selected: string | undefined;
  /** A decision is under way. */
  readonly busy: boolean;
  readonly error: string | undefined;
  /** What a screen reader is to say. */
  readonly announcement: string;
}

/** The host is our own extension: that it sends what it promised is not checked again. */
const isReviewState: Guard<ReviewState> = (value): value is ReviewState => typeof value === 'object' && value !== null;

/** The review as the host knows it, with what is selected and under way on this page. */
export class ReviewSession {
  readonly #host: RpcPeer<Api, ReviewHost>;
  readonly #listeners = new Set<(view: ReviewView) => void>();
  #view: ReviewView;

  constructor(host: RpcPeer<Api, ReviewHost>, selected?: string) {
    this.#host = host;
    this.#view = { state: undefined, selected, busy: false, error: undefined, announcement: '' };
    host.on(REVIEW_CHANGED, isReviewState, (state) => this.#receive(state));
  }

  get view(): ReviewView {
    return this.#view;
  }

  /** Returns the unsubscriber. */
  onChange(listener: (view: ReviewView) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async open(): Promise<void> {
    await this.#attempt(async () => this.#receive(await this.#host.call('open', undefined)));
  }

  select(id: string): void {
    this.#update({ selected: id });
  }

  /** Goes to the next or the previous change, decided or not. */
  step(step: 1 | -1): void {
    const { state, selected } = this.#view;
    if (state !== undefined) this.#update({ selected: neighbour(state.changes, selected, step) });
  }

  /** Decides about the selected change and goes on to the next that is open. */
  async decide(verdict: Verdict): Promise<void> {
    const { state, selected } = this.#view;
    const change = state?.changes.find(({ id }) => id === selected);
    if (state === undefined || change === undefined) return;
    if (verdict === 'reject' && change.decision === 'rejected') return;
    await this.#decide(state, verdict, decidedIds(state, change.id));
  }

  async acceptAll(): Promise<void> {
    const { state } = this.#view;
    const open = openChanges(state?.changes ?? []).map(({ id }) => id);
    if (state !== undefined && open.length > 0) await this.#decide(state, 'accept', open);
  }

  /** Takes back the last decision about this case. */
  async undo(): Promise<void> {
    await this.#carryOut('undo', 'The last decision is taken back.');
  }

  /** Puts the baseline, as it is now, into git's index. */
  async stage(): Promise<void> {
    await this.#carryOut('stage', 'The baseline is staged.');
  }

  async openDiff(): Promise<void> {
    const { selected } = this.#view;
    if (selected !== undefined) await this.#attempt(() => this.#host.call('openDiff', { id: selected }));
  }

  dismissError(): void {
    this.#update({ error: undefined });
  }

  async #carryOut(action: 'undo' | 'stage', done: string): Promise<void> {
    if (this.#view.busy || this.#view.state?.canDecide !== true) return;
    this.#update({ busy: true, announcement: '' });
    await this.#attempt(async () => {
      await this.#host.call(action, undefined);
      this.#update({ announcement: done });
    });
    this.#update({ busy: false });
  }

  async #decide(state: ReviewState, verdict: Verdict, ids: readonly string[]): Promise<void> {
    if (this.#view.busy || !state.canDecide) return;
    const titles = state.changes.filter(({ id }) => ids.includes(id)).map(({ title }) => title);
    this.#update({ busy: true, announcement: '' });
    await this.#attempt(async () => {
      // The host sends the new state before it answers.
      await this.#host.call(verdict, { ids, stamp: state.stamp });
      const { state: now, selected } = this.#view;
      this.#update({ announcement: outcome(verdict, titles, openChanges(now?.changes ?? []), selected) });
    });
    this.#update({ busy: false });
  }

  async #attempt(action: () => Promise<void>): Promise<void> {
    this.#update({ error: undefined });
    try {
      await action();
    } catch (error) {
      this.#update({ error: error instanceof Error ? error.message : String(error) });
    }
  }

  #receive(state: ReviewState): void {
    const { state: previous, selected } = this.#view;
    this.#update({ state, selected: followUp(previous?.changes ?? [], state.changes, selected) });
  }

  #update(change: Partial<ReviewView>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener(this.#view);
  }
}
