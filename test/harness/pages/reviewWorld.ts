import { serve as answer, type Served } from '../../../src/contracts/contract';
import type { ReviewedChange } from '../../../src/contracts/engine/review';
import { type ReviewState, reviewPage } from '../../../src/contracts/pages/reviewPanel';
import type { Channel } from '../../../src/contracts/rpc/rpc';

type Decisions = readonly ReviewedChange['decision'][];

/** What is decided in each file, and what is shown: a file, and a change of it, if any is left to show. */
export interface Reviewed {
  readonly files: readonly Decisions[];
  readonly file: number;
  readonly selected: number | undefined;
}

/**
 * What the keys of a review mean, typed slowly: `a` accepts, `r` rejects, `z` undoes, `n` and `p` go on and back. Without a page, and
 * without a host.
 */
export class KeyModel {
  #files: Decisions[];
  #file = 0;
  #selected: number | undefined = 0;
  readonly #undo: { readonly file: number; readonly decisions: Decisions }[] = [];

  constructor(lengths: readonly number[]) {
    this.#files = lengths.map((length) => Array.from({ length }, () => 'open' as const));
  }

  get reviewed(): Reviewed {
    return { files: this.#files, file: this.#file, selected: this.#selected };
  }

  press(key: string): void {
    if (key === 'a' || key === 'r') this.#decide(key === 'a' ? 'accepted' : 'rejected');
    if (key === 'z') this.#undoLast();
    if (key === 'n') this.#step(1);
    if (key === 'p') this.#step(-1);
  }

  #decide(verdict: 'accepted' | 'rejected'): void {
    const before = this.#files[this.#file] ?? [];
    const selected = this.#selected;
    if (selected === undefined || before[selected] === verdict) return;
    this.#undo.push({ file: this.#file, decisions: before });
    const now = before.map((one, at) => (at === selected ? verdict : one));
    this.#files[this.#file] = now;
    if (before[selected] === 'open') this.#selected = nextOpen(now, selected + 1);
    const others = [...this.#files.keys()].map((at) => (this.#file + at) % this.#files.length);
    const open = others.find((at) => this.#files[at]?.includes('open'));
    if (!now.includes('open') && open !== undefined) this.#enter(open);
  }

  #undoLast(): void {
    const last = this.#undo.pop();
    if (last === undefined) return;
    this.#files[last.file] = last.decisions;
    if (last.file !== this.#file) this.#enter(last.file);
    else this.#selected ??= nextOpen(last.decisions, 0);
  }

  #step(step: 1 | -1): void {
    const { length } = this.#files[this.#file] ?? [];
    const at = this.#selected ?? (step === 1 ? length - 1 : 0);
    if (at + step >= 0 && at + step < length) this.#selected = at + step;
    else this.#enter((this.#file + step + this.#files.length) % this.#files.length, step);
  }

  #enter(file: number, step: 1 | -1 = 1): void {
    const decisions = this.#files[file] ?? [];
    this.#file = file;
    this.#selected = step === 1 ? (nextOpen(decisions, 0) ?? 0) : decisions.length - 1;
  }
}

/** Around the end. */
function nextOpen(decisions: Decisions, from: number): number | undefined {
  const turn = [...decisions.keys()].map((at) => (from + at) % decisions.length);
  return turn.find((at) => decisions[at] === 'open');
}

/** The extension's side of a review of several files, which takes its time and refuses what was not seen. */
export class ReviewWorld {
  readonly files: { decisions: ReviewedChange['decision'][]; version: number }[];
  /** Where decisions failed. */
  readonly refused: string[] = [];
  readonly #undo: { readonly file: number; readonly decisions: ReviewedChange['decision'][] }[] = [];
  #file = 0;
  #page: Served<typeof reviewPage> | undefined;

  constructor(
    lengths: readonly number[],
    private readonly template: { readonly state: ReviewState; readonly change: ReviewedChange },
    private readonly pause: () => Promise<void>,
  ) {
    this.files = lengths.map((length) => ({ decisions: Array.from({ length }, () => 'open'), version: 1 }));
  }

  serve(channel: Channel): void {
    this.#page = answer(reviewPage, channel, {
      decide: async ({ verdict, changes, stamp }) => {
        await this.pause();
        const file = this.files[this.#file];
        if (file === undefined || stamp !== this.#state().stamp) {
          this.refused.push(stamp);
          throw new Error('This has changed.');
        }
        this.#undo.push({ file: this.#file, decisions: [...file.decisions] });
        for (const id of changes) file.decisions[Number(id.split('.')[1])] = verdict;
        file.version += 1;
        await this.#tell();
        return [];
      },
      undo: async () => {
        await this.pause();
        const last = this.#undo.pop();
        const file = last && this.files[last.file];
        if (last === undefined || file === undefined) throw new Error('There is nothing to undo.');
        file.decisions = last.decisions;
        file.version += 1;
        this.#file = last.file;
        await this.#tell();
      },
      go: async ({ to }) => {
        await this.pause();
        const step = to === 'previous' ? -1 : 1;
        for (let moved = 0; moved < this.files.length; moved += 1) {
          this.#file = (this.#file + step + this.files.length) % this.files.length;
          if (to !== 'open' || this.files[this.#file]?.decisions.includes('open')) break;
        }
        await this.#tell();
        return true;
      },
      texts: async () => ({ before: '', after: '' }),
      sameChanges: async () => [],
      decideSame: async () => [],
      stage: async () => undefined,
      stageAll: async () => false,
      openSourceControl: async () => undefined,
      openDiff: async () => undefined,
      openTranscript: async () => undefined,
    });
    this.#page.patch({ review: this.#state() });
  }

  connect(send: (message: unknown) => void, onMessage: (listener: (message: unknown) => void) => void): void {
    this.serve({
      send,
      onMessage: (listener) => {
        onMessage(listener);
        return () => undefined;
      },
    });
  }

  async #tell(): Promise<void> {
    await this.pause();
    this.#page?.patch({ review: this.#state() });
  }

  #state(): ReviewState {
    const { decisions, version } = this.files[this.#file] ?? { decisions: [], version: 0 };
    const othersOpen = this.files.filter((file, at) => at !== this.#file && file.decisions.includes('open')).length;
    return {
      ...this.template.state,
      kind: 'tape',
      caseUri: `file:///project/${this.#file}.json`,
      stamp: `${this.#file} at ${version}`,
      queue: { position: this.#file + 1, total: this.files.length, othersOpen },
      changes: decisions.map((decision, at) => ({
        ...this.template.change,
        id: `${this.#file}.${at}`,
        title: `Change ${at}`,
        decision,
      })),
    };
  }
}
