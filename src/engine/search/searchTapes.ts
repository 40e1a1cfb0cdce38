import { dirname, join } from 'node:path';
import { setImmediate as pause } from 'node:timers/promises';
import type { Found, FoundInteraction, FoundTape, SkippedTape } from '../../core/model/found';
import { findTexts, type TextHit } from '../../core/search/findTexts';
import { FactMatcher } from '../../core/search/matchFacts';
import type { Query } from '../../core/search/query';
import type { TapeFacts } from '../../core/search/tapeFacts';
import { formatById } from '../../core/tapes/registry';
import { TapeUsers } from '../cases/tapeUsers';
import { isSystemError } from '../errors/systemError';
import { fromRoot } from '../files/projectPaths';
import { createRootFinder } from '../project/findRoot';
import type { LastingRecorders } from '../recording/openRecorder';
import { TapeIndex } from './tapeIndex';

/** So many interactions are listed: more are no answer to a question. */
const MOST = 500;
/** Of one tape, so that a long one leaves room for others. */
const MOST_IN_TAPE = 100;
const TURN_MS = 20;
/** As far as a secret may reach, on tapes with one; elsewhere, only short ones are in doubt. In UTF-16 units. */
const [FAR, NEAR] = [2 ** 15, 2 ** 10];

export interface SearchOptions {
  readonly query: Query;
  /** Absolute: tapes, and files that may be tapes. */
  readonly files: readonly string[];
  /** Projects without a mark are below it. */
  readonly cwd: string;
  /** Stored API keys by environment variable, to be hidden like those of the environment. */
  readonly keys?: Readonly<Record<string, string>>;
  /** In milliseconds since 1970. */
  readonly now: number;
  readonly signal: AbortSignal;
  onProgress(done: number, of: number): void;
}

/** Searches tapes; what is known of them is kept for the next search of the same process. */
export class TapeSearch {
  readonly #indexes = new Map<string, TapeIndex>();
  readonly #recorders: LastingRecorders;

  constructor(recorders: LastingRecorders) {
    this.#recorders = recorders;
  }

  /** Undefined where it was cancelled. */
  async find(options: SearchOptions): Promise<Found | undefined> {
    const search = new OneSearch(options);
    let done = 0;
    for (const [root, files] of byRoot(options)) {
      const paths = files.map((file) => fromRoot(root, file));
      const index = await this.index(root, options.keys);
      const before = done;
      const onProgress = (count: number): void => options.onProgress(before + count, options.files.length);
      const skipped = await index.refresh(paths, { signal: options.signal, onProgress });
      if (skipped === false || !(await search.searchIn(index, paths))) return undefined;
      search.skipped.push(...skipped.map(({ path, reason }) => ({ path: join(root, path), reason })));
      done += paths.length;
    }
    return search.found;
  }

  /** What is known of a project's tapes, by its rules as they are now. */
  async index(root: string, keys?: SearchOptions['keys']): Promise<TapeIndex> {
    const index = await TapeIndex.open(root, await this.#recorders(root, keys), this.#indexes.get(root));
    this.#indexes.set(root, index);
    return index;
  }
}

/** Files by the roots of their projects. */
export function byRoot({ files, cwd }: Pick<SearchOptions, 'files' | 'cwd'>): ReadonlyMap<string, readonly string[]> {
  const rootOf = createRootFinder(cwd);
  const found = new Map<string, string[]>();
  for (const file of files) {
    const root = rootOf(dirname(file));
    const known = found.get(root);
    if (known === undefined) found.set(root, [file]);
    else known.push(file);
  }
  return found;
}

class OneSearch {
  readonly skipped: SkippedTape[] = [];
  readonly #tapes: FoundTape[] = [];
  readonly #options: SearchOptions;
  readonly #matcher: FactMatcher;
  readonly #users: TapeUsers | undefined;
  #searched = 0;
  #left = MOST;
  #isCut = false;

  constructor(options: SearchOptions) {
    this.#options = options;
    this.#matcher = new FactMatcher(options.query, options.now);
    this.#users = options.query.terms.some(({ field }) => field === 'is') ? new TapeUsers(options.cwd) : undefined;
  }

  get found(): Found {
    return {
      tapes: this.#tapes,
      searched: this.#searched,
      ...(this.#isCut && { limit: MOST }),
      skipped: this.skipped,
    };
  }

  /** False where it was cancelled. */
  async searchIn(index: TapeIndex, paths: readonly string[]): Promise<boolean> {
    const { signal, onProgress } = this.#options;
    let turn = performance.now();
    for (const [at, path] of paths.entries()) {
      const facts = index.facts(path);
      if (facts !== undefined) await this.#searchTape(index, path, facts);
      if (performance.now() - turn < TURN_MS) continue;
      onProgress(at + 1, paths.length);
      await pause();
      if (signal.aborted) return false;
      turn = performance.now();
    }
    return true;
  }

  async #searchTape(index: TapeIndex, path: string, facts: TapeFacts): Promise<void> {
    this.#searched += 1;
    const absolute = join(index.root, path);
    const isOrphan = this.#users !== undefined && (await this.#users.isOrphan(absolute, facts.format));
    const candidates = this.#matcher.match(facts, { path, isOrphan })?.interactions;
    if (candidates === undefined) return;
    if (this.#left <= 0) {
      this.#isCut = true;
      return;
    }
    const hits = await this.#hits(index, path, candidates, facts);
    if (hits.length === 0 && !this.#matcher.isAboutTapes) return;
    const shown = hits.slice(0, MOST_IN_TAPE);
    const interactions = shown.flatMap((hit) => foundInteraction(hit, facts, index) ?? []);
    const hasMore = hits.length > shown.length && { hasMore: true as const };
    this.#tapes.push({ path: absolute, format: facts.formatLabel, interactions, ...hasMore });
    this.#left -= Math.max(1, shown.length);
  }

  /** One more than are listed, where there are more. */
  async #hits(
    index: TapeIndex,
    path: string,
    candidates: readonly number[],
    { format, secrets }: TapeFacts,
  ): Promise<readonly TextHit[]> {
    const { texts } = this.#matcher;
    if (texts.length === 0) return candidates.map((interaction) => ({ interaction }));
    try {
      const hide = (text: string): string => index.recorder.text(text);
      const around = secrets > 0 ? FAR : NEAR;
      const file = await index.open(path);
      return findTexts(file, formatById(format), { texts, candidates, most: MOST_IN_TAPE + 1, hide, around });
    } catch (error) {
      // It was removed after it was looked at.
      if (isSystemError(error)) return [];
      throw error;
    }
  }
}

function foundInteraction(
  { interaction, excerpt }: TextHit,
  { interactions }: TapeFacts,
  { recorder }: TapeIndex,
): FoundInteraction | undefined {
  const facts = interactions[interaction];
  return facts && { index: interaction, ...recorder.value(facts), ...(excerpt && { excerpt }) };
}
