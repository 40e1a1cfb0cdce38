import { dirname, join } from 'node:path';
import { setImmediate as pause } from 'node:timers/promises';
import type { Found, FoundInteraction, FoundTape, SkippedTape } from '../../core/model/found';
import type { TextHit } from '../../core/search/findTexts';
import { FactMatcher } from '../../core/search/matchFacts';
import type { OverviewSum } from '../../core/search/overview';
import type { Query } from '../../core/search/query';
import type { TapeFacts } from '../../core/search/tapeFacts';
import { TapeUsers } from '../cases/tapeUsers';
import { fromRoot } from '../files/projectPaths';
import { createRootFinder } from '../project/findRoot';
import { ReaderPool } from '../readers/readerPool';
import type { LastingRecorders } from '../recording/openRecorder';
import { projectFile } from './factsTask';
import { TapeIndex } from './tapeIndex';
import { type CandidateTape, type TextsSetup, textsReader, textsTask } from './textsTask';

/** The most interactions that are listed: nobody reads more. */
const MOST = 500;
/** The most of one tape, so that a long one leaves room for others. */
const MOST_IN_TAPE = 100;
/** How many tapes are read first; then twice as many each time, until enough is found. */
const FIRST_TAPES = 64;
const TURN_MS = 20;

interface SearchOptions extends ReadOptions {
  readonly query: Query;
}

/** Which tapes are looked at, and by which rules. */
interface ReadOptions {
  /** Absolute: tapes, and files that may be tapes. */
  readonly files: readonly string[];
  /** The root of files that are in no project. */
  readonly cwd: string;
  /** Stored API keys by environment variable, to be hidden like those of the environment. */
  readonly keys?: Readonly<Record<string, string>>;
  /** In milliseconds since 1970. */
  readonly now: number;
  readonly signal: AbortSignal;
  onProgress(done: number, of: number): void;
}

/** Searches tapes. Their facts are kept for the next search of the same process. */
export class TapeSearch {
  readonly #indexes = new Map<string, TapeIndex>();
  readonly #recorders: LastingRecorders;

  constructor(recorders: LastingRecorders) {
    this.#recorders = recorders;
  }

  /** Undefined if it was cancelled. */
  async find(options: SearchOptions): Promise<Found | undefined> {
    const readers = new ReaderPool();
    try {
      const search = new OneSearch(options, readers);
      const isWhole = await this.#visit(readers, options, async (index, names, skipped) => {
        search.skipped.push(...skipped);
        return search.searchIn(index, names);
      });
      return isWhole ? search.found : undefined;
    } finally {
      readers.end();
    }
  }

  /** Adds these tapes to a sum. False where it was cancelled. */
  async sumUp(sum: OverviewSum, options: ReadOptions): Promise<boolean> {
    const readers = new ReaderPool();
    const users = new TapeUsers(options.cwd);
    try {
      return await this.#visit(readers, options, (index, names, skipped) => {
        for (const { path } of skipped) sum.skip(path);
        return addTapes(sum, index, names, { users, signal: options.signal });
      });
    } finally {
      readers.end();
    }
  }

  /** Visits the projects of files, what is known of their tapes brought up to date. False where it was cancelled. */
  async #visit(readers: ReaderPool, options: ReadOptions, visit: Visit): Promise<boolean> {
    let done = 0;
    for (const [root, files] of byRoot(options)) {
      const names = files.map((file) => fromRoot(root, file));
      const index = await this.index(root, options.keys);
      const before = done;
      const onProgress = (count: number): void => options.onProgress(before + count, options.files.length);
      const skipped = await index.refresh(names, { signal: options.signal, readers, onProgress });
      if (skipped === false) return false;
      const absolute = skipped.map(({ path, reason }) => ({ path: join(root, path), reason }));
      if (!(await visit(index, names, absolute))) return false;
      done += names.length;
    }
    return true;
  }

  /** The index of a project's tapes, for its current rules. */
  async index(root: string, keys?: ReadOptions['keys']): Promise<TapeIndex> {
    const index = await TapeIndex.open(root, await this.#recorders(root, keys), this.#indexes.get(root));
    this.#indexes.set(root, index);
    return index;
  }
}

/** Looks at the tapes of a project; resolves to false where it was cancelled. */
type Visit = (index: TapeIndex, names: readonly string[], skipped: readonly SkippedTape[]) => Promise<boolean>;

interface AddOptions {
  readonly users: TapeUsers;
  readonly signal: AbortSignal;
}

async function addTapes(
  sum: OverviewSum,
  index: TapeIndex,
  names: readonly string[],
  { users, signal }: AddOptions,
): Promise<boolean> {
  const hidden = new Map<string, string>();
  const hide = (model: string): string => {
    const known = hidden.get(model) ?? index.recorder.text(model);
    hidden.set(model, known);
    return known;
  };
  let turn = performance.now();
  for (const name of names) {
    const facts = index.facts(name);
    const path = join(index.root, name);
    if (facts !== undefined) sum.add({ path, facts, isOrphan: await users.isOrphan(path, facts.format), hide });
    if (performance.now() - turn < TURN_MS) continue;
    await pause();
    if (signal.aborted) return false;
    turn = performance.now();
  }
  return !signal.aborted;
}

/** Files by the roots of their projects. */
function byRoot({ files, cwd }: Pick<ReadOptions, 'files' | 'cwd'>): ReadonlyMap<string, readonly string[]> {
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
  readonly #readers: ReaderPool;
  readonly #matcher: FactMatcher;
  readonly #users: TapeUsers | undefined;
  #searched = 0;
  #left = MOST;
  #isCut = false;

  constructor(options: SearchOptions, readers: ReaderPool) {
    this.#options = options;
    this.#readers = readers;
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

  /** False if it was cancelled. */
  async searchIn(index: TapeIndex, names: readonly string[]): Promise<boolean> {
    const tapes = await this.#candidates(index, names);
    if (tapes === undefined) return false;
    let at = 0;
    for (let count = FIRST_TAPES; at < tapes.length && this.#left > 0; count *= 2) {
      const some = tapes.slice(at, at + count);
      const hits = await this.#hits(index, some);
      if (this.#options.signal.aborted) return false;
      for (const [number, tape] of some.entries()) this.#add(index, tape, hits[number] ?? []);
      at += count;
    }
    if (at < tapes.length) this.#isCut = true;
    return true;
  }

  /** The tapes with the facts that the query asks for; undefined if it was cancelled. */
  async #candidates(index: TapeIndex, names: readonly string[]): Promise<readonly Candidate[] | undefined> {
    const { signal, onProgress } = this.#options;
    const found: Candidate[] = [];
    let turn = performance.now();
    for (const [at, name] of names.entries()) {
      const facts = index.facts(name);
      const candidates = facts && (await this.#matching(index.root, name, facts));
      if (facts !== undefined && candidates !== undefined) {
        const { format, isPlain, secrets } = facts;
        found.push({ ...projectFile(index.root, name), format, isPlain, hasSecrets: secrets > 0, candidates, facts });
      }
      if (performance.now() - turn < TURN_MS) continue;
      onProgress(at + 1, names.length);
      await pause();
      if (signal.aborted) return undefined;
      turn = performance.now();
    }
    return found;
  }

  async #matching(root: string, name: string, facts: TapeFacts): Promise<readonly number[] | undefined> {
    this.#searched += 1;
    const isOrphan = this.#users !== undefined && (await this.#users.isOrphan(join(root, name), facts.format));
    return this.#matcher.match(facts, { path: name, isOrphan })?.interactions;
  }

  /** The matches on each of these tapes: one more than can be listed, if there are more. */
  async #hits({ recorder }: TapeIndex, tapes: readonly Candidate[]): Promise<readonly (readonly TextHit[])[]> {
    const { texts } = this.#matcher;
    if (texts.length === 0) return tapes.map(({ candidates }) => candidates.map((interaction) => ({ interaction })));
    const wanted = { texts, most: MOST_IN_TAPE + 1 };
    const hits: (readonly TextHit[])[] = [];
    const files = tapes.map(({ facts: _, ...tape }, number) => ({ ...tape, number }));
    await this.#readers.read(files, textsTask, { ...wanted, secrets: recorder.sources } satisfies TextsSetup, {
      signal: this.#options.signal,
      here: textsReader(recorder, wanted),
      done: ({ number }, found) => {
        hits[number] = found;
      },
    });
    return hits;
  }

  #add(index: TapeIndex, { path, facts }: Candidate, hits: readonly TextHit[]): void {
    if (hits.length === 0 && !this.#matcher.isAboutTapes) return;
    if (this.#left <= 0) {
      this.#isCut = true;
      return;
    }
    const shown = hits.slice(0, MOST_IN_TAPE);
    const interactions = shown.flatMap((hit) => foundInteraction(hit, facts, index) ?? []);
    const hasMore = hits.length > shown.length && { hasMore: true as const };
    this.#tapes.push({ path, format: facts.formatLabel, interactions, ...hasMore });
    this.#left -= Math.max(1, shown.length);
  }
}

/** A tape with the facts that the query asks for. */
interface Candidate extends CandidateTape {
  readonly facts: TapeFacts;
}

function foundInteraction(
  { interaction, excerpt }: TextHit,
  { interactions }: TapeFacts,
  { recorder }: TapeIndex,
): FoundInteraction | undefined {
  const facts = interactions[interaction];
  return facts && { index: interaction, ...recorder.value(facts), excerpt };
}
