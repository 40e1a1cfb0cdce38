import type { Connected } from '../../../src/contracts/contract';
import type { NamedChange, ReviewedChange } from '../../../src/contracts/engine/review';
import type { Direction, ReviewState, reviewPage } from '../../../src/contracts/pages/reviewPanel';
import type { Decision } from '../../../src/core/review/decisions';
import { counted } from '../../../src/core/text/counts';
import { t } from '../../../src/core/text/l10n';
import { type ChangeFilter, NO_FILTER, nextGroup } from './changeFilter';
import {
  changesOfInteraction,
  decidedIds,
  FIRST_VIEW,
  hasTranscript,
  leavesList,
  neighbouringChange,
  nextPending,
  nextSelection,
  onlyPending,
  otherFiles,
  type ReviewView,
  shownChanges,
} from './reviewView';
import { describeOutcome, hasOnlyIgnored } from './words';

type ReviewPeer = Connected<typeof reviewPage>;

/** A decision that the host has yet to carry out. It is shown as if it were made. */
interface Expected {
  readonly caseUri: string;
  readonly ids: readonly string[];
  readonly verdict: Decision;
  /** Of the review in which the changes were seen, or of what earlier decisions of this page have made of it. */
  stamp: string;
  /** The change that was selected. */
  readonly from: string | undefined;
}

/** The host's review, with the selection and progress of this page. */
export class ReviewSession {
  readonly #host: ReviewPeer;
  readonly #listeners = new Set<(view: ReviewView) => void>();
  #view: ReviewView;
  /** What the host is asked to do, one thing after the other. */
  #acts: Promise<void> = Promise.resolve();
  #lastAct: object | undefined;
  /** As the host has sent it, without what is expected. */
  #told: ReviewState | undefined;
  #expected: readonly Expected[] = [];
  /** How many acts have an outcome that only the host knows, such as the review that an undo shows. */
  #unforeseen = 0;
  /** What was asked for since, which applies to what is shown then. */
  #waiting: readonly (() => unknown)[] = [];
  /** The end of the list at which the next review begins. */
  #entrance: 'first' | 'last' = 'first';

  constructor(host: ReviewPeer, selected?: string, viewed: readonly string[] = []) {
    this.#host = host;
    this.#view = { ...FIRST_VIEW, selected, viewed: new Set(viewed) };
  }

  get view(): ReviewView {
    return this.#view;
  }

  /** Returns the unsubscriber. */
  onChange(listener: (view: ReviewView) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Shows the review, now and after every change. */
  open(): void {
    this.#host.state.subscribe(({ review }) => review && this.#receive(review));
  }

  /**
   * Does what a key asks for, to what is shown when it is its turn: at once, or after an act with an unforeseen outcome. So keys mean
   * the same, however fast they are typed.
   */
  inTurn(action: () => unknown): void {
    this.#waiting = [...this.#waiting, action];
    this.#goThroughWaiting();
  }

  #goThroughWaiting(): void {
    while (this.#unforeseen === 0) {
      const [next, ...others] = this.#waiting;
      if (next === undefined) return;
      this.#waiting = others;
      void next();
    }
  }

  select(id: string): void {
    const { selected, viewed } = this.#view;
    this.#update({ selected: id, ...(selected !== undefined && { viewed: new Set([...viewed, selected]) }) });
    void this.#loadTexts();
  }

  /** Goes to the next or previous change, decided or not; from the ends of the list, to another file. */
  async step(step: 1 | -1): Promise<void> {
    const { state, selected } = this.#view;
    if (state === undefined) return;
    const shown = shownChanges(this.#view);
    if (otherFiles(state) > 0 && leavesList(shown, selected, step)) return this.go(step === 1 ? 'next' : 'previous');
    const next = neighbouringChange(shown, selected, step);
    if (next !== undefined) this.select(next);
  }

  /** Goes to another review of the queue. */
  async go(to: Direction): Promise<void> {
    await this.#act(async () => {
      this.#entrance = to === 'previous' ? 'last' : 'first';
      try {
        await this.#host.calls.go({ to });
      } finally {
        this.#entrance = 'first';
      }
    });
  }

  filter(filter: ChangeFilter): void {
    this.#update({ filter });
    const shown = shownChanges(this.#view);
    if (!shown.some(({ id }) => id === this.#view.selected)) this.#update({ selected: shown[0]?.id });
    void this.#loadTexts();
  }

  /** Shows only the next group of changes, and all of them after the last group. */
  nextGroup(): void {
    const { state, filter } = this.#view;
    this.filter({ ...filter, group: nextGroup(state?.changes ?? [], filter.group) });
  }

  toggleViewed(): void {
    const { selected, viewed } = this.#view;
    if (selected === undefined) return;
    const others = [...viewed].filter((id) => id !== selected);
    this.#update({ viewed: new Set(viewed.has(selected) ? others : [...viewed, selected]) });
  }

  /** Sets the note for the next decision on the selected change. */
  note(text: string): void {
    const { selected, notes } = this.#view;
    if (selected !== undefined) this.#update({ notes: new Map([...notes, [selected, text]]) });
  }

  /** Decides on the selected change and goes on to the next pending one. */
  async decide(verdict: Decision): Promise<void> {
    const { state, change } = this.#selected();
    if (state === undefined) return;
    // A file with ignored differences only can be restored as a whole.
    if (verdict === 'rejected' && state.kind !== 'run' && hasOnlyIgnored(state)) return this.#send('rejected', []);
    if (change === undefined) return;
    if (change.decision === verdict) return;
    await this.decideAbout(verdict, decidedIds(state, change.id));
  }

  /** Decides on all pending changes of the selected change's interaction. */
  async decideInteraction(verdict: Decision): Promise<void> {
    const { state, change } = this.#selected();
    if (state === undefined || change === undefined) return;
    const ids = changesOfInteraction(onlyPending(state.changes), change);
    await this.decideAbout(verdict, state.hasBaseline ? ids : decidedIds(state, change.id));
  }

  /** Decides on all pending changes that are listed. */
  async decideAll(verdict: Decision): Promise<void> {
    await this.decideAbout(
      verdict,
      onlyPending(shownChanges(this.#view)).map(({ id }) => id),
    );
  }

  async decideAbout(verdict: Decision, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#send(verdict, ids);
  }

  async #send(verdict: Decision, changes: readonly string[]): Promise<void> {
    const { state, selected } = this.#view;
    if (!state?.canDecide) return;
    const decided = state.changes.filter(({ id }) => changes.includes(id)).map(({ title }) => title);
    const titles = decided.length > 0 ? decided : [state.caseName];
    const reason = this.#reason();
    const expected = { caseUri: state.caseUri, stamp: state.stamp, ids: changes, verdict, from: selected };
    this.#update({ staged: undefined });
    this.#show(this.#told, [...this.#expected, expected]);
    const isLast = onlyPending(this.#view.state?.changes ?? []).length === 0;
    await this.#act(
      async () => {
        try {
          const belonging = await this.#carryOut(expected, reason);
          if (belonging !== undefined) await this.#goOn(verdict, titles, belonging);
        } catch (error) {
          this.#update({ selected: expected.from });
          throw error;
        } finally {
          this.#show(this.#told, without(this.#expected, expected));
        }
      },
      isLast ? 'unforeseen' : 'expected',
    );
  }

  /** Undefined where nothing is left to decide: another decision has included this one, or shown another review. */
  async #carryOut(
    expected: Expected,
    reason: { readonly reason?: string },
  ): Promise<readonly NamedChange[] | undefined> {
    const { verdict, stamp } = expected;
    const changes = stillToDecide(this.#told, expected);
    if (changes === undefined) return undefined;
    const belonging = await this.#host.calls.decide({ verdict, changes, stamp, ...reason });
    // What this decision has made of the review is what was seen, with the decision on it, when the next was made.
    for (const later of this.#expected) if (later.stamp === stamp) later.stamp = this.#told?.stamp ?? stamp;
    return belonging;
  }

  /** Shows the same change in all files. */
  async findSame(): Promise<void> {
    const { state, change } = this.#selected();
    if (!state?.canDecide || change === undefined || state.same[change.id] === undefined) return;
    await this.#act(async () => {
      const same = await this.#host.calls.sameChanges({ id: change.id });
      if (same.length > 0) this.#update({ same });
    });
  }

  closeSame(): void {
    this.#update({ same: undefined });
  }

  /** Decides on the change in all files that are shown, as one. */
  async decideSame(verdict: Decision): Promise<void> {
    const { same } = this.#view;
    this.closeSame();
    if (same === undefined) return;
    this.#update({ staged: undefined });
    const [only] = new Set(same.map(({ title }) => title));
    const files = new Set(same.map(({ path }) => path)).size;
    await this.#act(async () => {
      const belonging = await this.#host.calls.decideSame({ verdict, ...this.#reason() });
      await this.#goOn(verdict, [counted(files, '{1} in {0} file', '{1} in {0} files', only ?? '')], belonging);
    });
  }

  /** The note on the selected change, as the reason of a decision. */
  #reason(): { readonly reason?: string } {
    const { selected, notes } = this.#view;
    const reason = selected === undefined ? '' : (notes.get(selected)?.trim() ?? '');
    return reason === '' ? {} : { reason };
  }

  /** Announces a decision. When it was the last of its review, shows the next review with pending changes. */
  async #goOn(verdict: Decision, titles: readonly string[], belonging: readonly NamedChange[]): Promise<void> {
    // The host has sent the new state before it responds to the call.
    const { selected } = this.#view;
    const state = this.#told;
    const left = onlyPending(state?.changes ?? []);
    const isLast = left.length === 0 && state !== undefined && state.queue.othersOpen > 0;
    const hasMoved = isLast && (await this.#host.calls.go({ to: 'open' }));
    const elsewhere = hasMoved ? this.#told : undefined;
    this.#update({ announcement: describeOutcome({ verdict, titles, belonging, left, selected, elsewhere }) });
  }

  /** Reverts the last decision, also one that is still being made, and shows the review that it was made in. */
  async undo(): Promise<void> {
    if (this.#view.state?.canDecide !== true) return;
    await this.#act(async () => {
      await this.#host.calls.undo(undefined);
      this.#update({ staged: undefined, announcement: t('The last decision was undone.') });
    });
  }

  /** Stages the current baseline or file. */
  async stage(): Promise<void> {
    const { state } = this.#view;
    if (!state?.canDecide) return;
    await this.#act(async () => {
      await this.#host.calls.stage(undefined);
      const announcement = state.kind === 'run' ? t('The baseline is staged.') : t('The file is staged.');
      this.#update({ staged: 'file', announcement });
    });
  }

  /** Stages every file whose changes are all accepted. */
  async stageAll(): Promise<void> {
    if (this.#view.state?.canDecide !== true) return;
    await this.#act(async () => {
      if (await this.#host.calls.stageAll(undefined)) this.#update({ staged: 'all' });
    });
  }

  async openSourceControl(): Promise<void> {
    await this.#attempt(() => this.#host.calls.openSourceControl(undefined));
  }

  async openDiff(): Promise<void> {
    const { selected } = this.#view;
    if (selected !== undefined) await this.#attempt(() => this.#host.calls.openDiff({ id: selected }));
  }

  /** Opens the current transcript of a tape at the interaction of the selected change. */
  async openTranscript(): Promise<void> {
    const { state, selected } = this.#view;
    const interaction = state?.changes.find(({ id }) => id === selected)?.place.after;
    if (state !== undefined && hasTranscript(state) && interaction !== undefined)
      await this.#attempt(() => this.#host.calls.openTranscript({ interaction }));
  }

  dismissError(): void {
    this.#update({ error: undefined });
  }

  #selected(): { readonly state: ReviewState | undefined; readonly change: ReviewedChange | undefined } {
    const { state, selected } = this.#view;
    return { state, change: state?.changes.find(({ id }) => id === selected) };
  }

  /** Has the host do something after what it was asked for before. The page is busy until it shows the effect: see `#receive`. */
  #act(action: () => Promise<void>, outcome: 'expected' | 'unforeseen' = 'unforeseen'): Promise<void> {
    const act = {};
    this.#lastAct = act;
    const unforeseen = outcome === 'unforeseen' ? 1 : 0;
    this.#unforeseen += unforeseen;
    this.#update({ busy: true, announcement: '', error: undefined });
    this.#acts = this.#acts
      .then(() => this.#try(action))
      .then(() => {
        this.#unforeseen -= unforeseen;
        if (this.#lastAct === act) this.#update({ busy: false });
        this.#goThroughWaiting();
      });
    return this.#acts;
  }

  async #attempt(action: () => Promise<void>): Promise<void> {
    this.#update({ error: undefined });
    await this.#try(action);
  }

  async #try(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.#update({ error: error instanceof Error ? error.message : String(error) });
    }
  }

  #receive(state: ReviewState): void {
    const { state: previous } = this.#view;
    const isOther = previous !== undefined && previous.caseUri !== state.caseUri;
    const isNewer = previous?.stamp !== state.stamp;
    const isAnswer = this.#told !== undefined && hasOtherDecisions(this.#told, state);
    this.#update({
      ...(isOther && { filter: NO_FILTER, same: undefined }),
      ...(isOther && this.#view.staged === 'file' && { staged: undefined }),
      ...((isOther || isNewer) && { texts: new Map() }),
      // The host sends what an action led to before it responds: from here on, one decides on what is seen.
      ...(isAnswer && this.#expected.length <= 1 && { busy: false }),
    });
    this.#show(state, this.#expected);
  }

  /** Shows a review with the decisions that are expected as if they were made, and goes on to what is pending. */
  #show(told: ReviewState | undefined, expected: readonly Expected[]): void {
    const { state: previous, selected } = this.#view;
    const before = shownChanges(this.#view);
    this.#told = told;
    this.#expected = expected;
    const state = told && withDecisions(told, expected);
    const isOther = previous !== undefined && previous.caseUri !== state?.caseUri;
    this.#update({ state });
    const now = shownChanges(this.#view);
    this.#update({ selected: isOther ? this.#enter(now) : nextSelection(before, now, selected) });
    void this.#loadTexts();
  }

  #enter(changes: readonly ReviewedChange[]): string | undefined {
    if (this.#entrance === 'last') return changes.at(-1)?.id;
    return nextPending(changes, 0) ?? changes[0]?.id;
  }

  /** Loads the texts of the selected change where they were deferred. */
  async #loadTexts(): Promise<void> {
    const { state, change } = this.#selected();
    if (change?.deferred === undefined || change.recording !== undefined || this.#view.texts.has(change.id)) return;
    await this.#attempt(async () => {
      const loaded = await this.#host.calls.texts({ id: change.id });
      if (this.#view.state?.stamp === state?.stamp)
        this.#update({ texts: new Map([...this.#view.texts, [change.id, loaded]]) });
    });
  }

  #update(change: Partial<ReviewView>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener(this.#view);
  }
}

function withDecisions(state: ReviewState, expected: readonly Expected[]): ReviewState {
  const own = expected.filter(({ caseUri }) => caseUri === state.caseUri);
  if (own.length === 0) return state;
  const changes = state.changes.map((change) => {
    const verdict = own.findLast(({ ids }) => ids.includes(change.id))?.verdict;
    return verdict === undefined ? change : { ...change, decision: verdict };
  });
  return { ...state, changes };
}

/** The ids that a decision still applies to, none for a whole file; undefined where there is nothing left to decide. */
function stillToDecide(
  state: ReviewState | undefined,
  { caseUri, ids, verdict }: Expected,
): readonly string[] | undefined {
  if (state?.caseUri !== caseUri) return undefined;
  const open = state.changes.filter(({ id, decision }) => ids.includes(id) && decision !== verdict).map(({ id }) => id);
  return ids.length > 0 && open.length === 0 ? undefined : open;
}

function without<T>(list: readonly T[], item: T): readonly T[] {
  return list.filter((one) => one !== item);
}

/** Whether there is something else to decide, or something else was decided. */
function hasOtherDecisions(before: ReviewState, after: ReviewState): boolean {
  return decisionsOf(before) !== decisionsOf(after);
}

function decisionsOf({ caseUri, stamp, changes }: ReviewState): string {
  return JSON.stringify([caseUri, stamp, changes.map(({ id, decision }) => [id, decision])]);
}
