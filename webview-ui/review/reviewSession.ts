import { type Direction, REVIEW_CHANGED, type ReviewHost, type ReviewState } from '../../src/protocol/review';
import type { ChangeTexts } from '../../src/protocol/reviewQueue';
import type { Api, Guard, RpcPeer } from '../../src/protocol/rpc';
import { decidedIds, followUp, leadsOut, neighbour, nextOpen, openChanges } from './reviewModel';
import { outcome } from './words';

export type Verdict = 'accept' | 'reject';

export interface ReviewView {
  /** Undefined until the host has answered. */
  readonly state: ReviewState | undefined;
  /** The id of the change that is looked at; undefined when nothing is left. */
  readonly selected: string | undefined;
  /** The texts that came later, by the ids of their changes. */
  readonly texts: ReadonlyMap<string, ChangeTexts>;
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
  /** Where to begin in the next review that comes. */
  #entrance: 'first' | 'last' = 'first';

  constructor(host: RpcPeer<Api, ReviewHost>, selected?: string) {
    this.#host = host;
    this.#view = { state: undefined, selected, texts: new Map(), busy: false, error: undefined, announcement: '' };
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
    void this.#loadTexts();
  }

  /** Goes to the next or the previous change, decided or not; behind the last one, to the next file. */
  async step(step: 1 | -1): Promise<void> {
    const { state, selected } = this.#view;
    if (state === undefined) return;
    const others = state.queue.total - (state.queue.position > 0 ? 1 : 0);
    if (others > 0 && leadsOut(state.changes, selected, step)) return this.go(step === 1 ? 'next' : 'previous');
    const next = neighbour(state.changes, selected, step);
    if (next !== undefined) this.select(next);
  }

  /** Goes to another review of the queue. */
  async go(to: Direction): Promise<void> {
    this.#entrance = to === 'previous' ? 'last' : 'first';
    await this.#attempt(async () => void (await this.#host.call('go', { to })));
    this.#entrance = 'first';
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
      const left = openChanges(now?.changes ?? []);
      this.#update({ announcement: outcome(verdict, titles, left, selected) });
      if (left.length === 0 && now !== undefined && now.queue.othersOpen > 0)
        await this.#host.call('go', { to: 'open' });
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
    const isOther = previous !== undefined && previous.caseUri !== state.caseUri;
    const isNewer = previous?.stamp !== state.stamp;
    this.#update({
      state,
      selected: isOther ? this.#enter(state) : followUp(previous?.changes ?? [], state.changes, selected),
      ...((isOther || isNewer) && { texts: new Map() }),
    });
    void this.#loadTexts();
  }

  #enter({ changes }: ReviewState): string | undefined {
    if (this.#entrance === 'last') return changes.at(-1)?.id;
    return nextOpen(changes, 0) ?? changes[0]?.id;
  }

  /** Fetches the texts of the selected change, where they were left for later. */
  async #loadTexts(): Promise<void> {
    const { state, selected, texts } = this.#view;
    const change = state?.changes.find(({ id }) => id === selected);
    if (change?.deferred === undefined || texts.has(change.id)) return;
    await this.#attempt(async () => {
      const loaded = await this.#host.call('texts', { id: change.id });
      if (this.#view.state?.stamp === state?.stamp)
        this.#update({ texts: new Map([...this.#view.texts, [change.id, loaded]]) });
    });
  }

  #update(change: Partial<ReviewView>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener(this.#view);
  }
}
