import type { JoinedRules } from '../../../core/cases/toml/replaySpec';
import { formatMask } from '../../../core/match/masks';
import type { RequestMatcher } from '../../../core/match/matcher';
import type { RecordedRequest } from '../../../core/match/recordings';
import type { Mask, MatchMode } from '../../../core/model/case';
import type { TapeFormat } from '../../../core/tapes/format';
import { t } from '../../../core/text/l10n';
import { noRecording } from '../../errors/runErrors';
import { hasCode, isSystemError, systemReason } from '../../errors/systemError';
import { UserError } from '../../errors/userError';
import { type FileIdentity, fileIdentity, fileStatus, isSameState } from '../../files/fileStatus';
import { fromRoot } from '../../files/projectPaths';
import type { HiddenRequest } from '../../recording/hidden';
import type { LazyRecorder } from '../../recording/openRecorder';
import type { interactionPlaces } from '../../recording/readTape';
import type { KnownTape } from '../../recording/unchangedTape';
import { version } from '../../version';
import { ExactIndex, exactKey, type FindPlaces, sha256Binary } from './exactIndex';
import { IdleTask, type Pause } from './idleTask';
import type { LoadedTape } from './loadedTape';
import { type CachedTape, openReplayCache, type ReplayCache, writeReplayCache } from './replayCache';
import type { ServedResponse } from './servedResponse';

interface ReplayTapeOptions {
  /** The project's root. */
  readonly root: string;
  readonly path: string;
  readonly rules: JoinedRules;
  readonly recorder: LazyRecorder;
  /** Serve the last recording of a request again when all of them were served. */
  readonly repeat?: boolean;
}

/** Reading less than this is quicker than looking for a cache. */
const CACHED_FROM_BYTES = 256 * 1024;
/** A file that changed more recently may change again without a trace in its times. */
const SETTLED_MS = 100;

/**
 * A tape that is replayed. Requests that are byte for byte on it are found by their hash; for all others the matcher
 * decides, for which the tape is read if it is not yet.
 */
export class ReplayTape {
  readonly #options: ReplayTapeOptions;
  readonly #exact: ExactIndex;
  readonly #cache: ReplayCache | undefined;
  #loaded: LoadedTape | undefined;
  #loading: Promise<LoadedTape> | undefined;
  /** The cache, if it belongs to the loaded tape. */
  #index: Pick<ReplayCache, 'requests'> | undefined;
  #matcher: RequestMatcher | undefined;
  /** The matcher has read the requests of the tape, rather than an index of them. */
  #hasReadAll = false;
  /** What a matcher that knew only the index has served. */
  readonly #taken: { readonly index: number; readonly sessionId: string | undefined }[] = [];
  /** The interactions that were served, in any session. */
  readonly #served = new Set<number>();
  /** Writes the cache for the next replay, once this one has served something. */
  #keeping: IdleTask | undefined;
  #written: ReplayCache | undefined;
  #isClosed = false;

  private constructor(options: ReplayTapeOptions, loaded: LoadedTape | undefined, cache: ReplayCache | undefined) {
    this.#options = options;
    this.#loaded = loaded;
    this.#cache = cache;
    // Matching by position or by a key of the format does not depend on the bytes.
    const { match = 'exact' } = options.rules;
    const byBytes = match === 'exact' || match === 'subset';
    this.#exact = new ExactIndex(byBytes ? placesIn(loaded, cache) : () => [], options.repeat ?? false);
  }

  static async exists(path: string): Promise<boolean> {
    return (await fileStatus(path)) !== undefined;
  }

  /** Rejects with a `UserError` when the tape cannot be read. */
  static async open(options: ReplayTapeOptions): Promise<ReplayTape> {
    const { root, path } = options;
    const identity = await existing(root, path);
    const rules = rulesText(options);
    const isLarge = Number(identity.size) >= CACHED_FROM_BYTES;
    const open = () => (isLarge ? openReplayCache(root, path, identity, rules) : undefined);
    const cached = open();
    if (cached !== undefined) return new ReplayTape(options, undefined, cached);
    const opened = await openLoaded(options);
    const tape = new ReplayTape(options, opened.loaded, undefined);
    const isSettled = Number(identity.changed) / 1e6 <= Date.now() - SETTLED_MS;
    if (isLarge && isSettled)
      tape.#keeping = new IdleTask(async (pause) => {
        try {
          await writeReplayCache(root, path, await cacheOf(opened, identity, rules, options.rules.masks, pause));
        } catch {
          // Such as in a folder where nothing can be written: the next replay reads the tape as this one did.
          return;
        }
        if (!tape.#isClosed) tape.#written = open();
        tape.#index = tape.#written;
      });
    return tape;
  }

  /** Whether the tape's own recorder would serve the next recording to a request that differs. Known once it was searched. */
  get servesInOrder(): boolean {
    return this.#loaded?.format.servesInOrder === true;
  }

  get count(): number {
    return (this.#cache ?? this.#loaded)?.count ?? 0;
  }

  /** The next recording of exactly this request, where its bytes alone decide. */
  takeExact(method: string, path: string, body: Uint8Array, sessionId: string | undefined): number | undefined {
    const index = this.#takeExact(exactKey(method, path, body), sessionId);
    if (index !== undefined) this.#serve(index);
    return index;
  }

  /** From its first decision on, the matcher keeps track of what was served. */
  #takeExact(key: string, sessionId: string | undefined): number | undefined {
    if (this.#matcher === undefined) return this.#exact.take(key, sessionId);
    const places = this.#exact.find(key);
    const index = places && this.#matcher.takeOneOf(places, sessionId || undefined);
    this.#remember(index, sessionId);
    return index;
  }

  /** The path of a request to an API whose address is not known, as the tape has it. */
  async wholePath(path: string): Promise<string> {
    return (await this.#load()).wholePath(path);
  }

  async take(request: HiddenRequest, sessionId: string | undefined): Promise<ReturnType<RequestMatcher['take']>> {
    const taken = (await this.#matching(request)).take(request, sessionId);
    if ('index' in taken) {
      this.#serve(taken.index);
      this.#remember(taken.index, sessionId);
    }
    return taken;
  }

  #serve(index: number): void {
    this.#served.add(index);
    this.#keeping?.postpone();
  }

  /** How requests are matched. */
  get rules(): Pick<ReplayTapeOptions, 'rules' | 'repeat'> {
    return this.#options;
  }

  /** Counts a WebSocket as played. */
  playTalk(index: number): void {
    this.#serve(index);
  }

  /** `paced`: with the pieces of a stream. */
  response(index: number, paced: boolean): ServedResponse | undefined {
    return this.#cache === undefined ? this.#loaded?.response(index) : this.#cache.response(index, paced);
  }

  /**
   * The indexes of the recordings that were not served, without those that cannot be, and those of telemetry, which a replay answers by
   * itself.
   */
  async unused(): Promise<readonly number[]> {
    const idle = Array.from({ length: this.count }, (_, index) => index).filter((index) => !this.#served.has(index));
    if (idle.length === 0) return idle;
    const tape = await this.#load();
    return idle.filter((index) => tape.isAskedFor(index));
  }

  /** The whole tape. */
  loaded(): Promise<LoadedTape> {
    return this.#load();
  }

  /** Writes now what the next replay finds this tape by, which is otherwise done when there is nothing else to do. */
  async keep(): Promise<void> {
    await this.#keeping?.finish();
  }

  close(): void {
    this.#isClosed = true;
    this.#keeping?.end();
    this.#cache?.close();
    this.#written?.close();
  }

  #load(): Promise<LoadedTape> {
    this.#loading ??= this.#read();
    return this.#loading;
  }

  /** A tape that has not changed since the cache was made is not checked again. */
  async #read(): Promise<LoadedTape> {
    if (this.#loaded !== undefined) return this.#loaded;
    const cache = this.#cache;
    const isUnchanged =
      cache !== undefined && isSameState(cache.tape, await existing(this.#options.root, this.#options.path));
    if (isUnchanged) this.#index = cache;
    this.#loaded = await loadTape(this.#options, isUnchanged ? cache : undefined);
    return this.#loaded;
  }

  /** For a matcher that is made after this one. */
  #remember(index: number | undefined, sessionId: string | undefined): void {
    if (index !== undefined && !this.#hasReadAll) this.#taken.push({ index, sessionId });
  }

  /**
   * The matcher, with what was served before it was needed. The index may have been made in an environment with other secrets, so
   * a request with secrets is searched on the tape itself.
   */
  async #matching({ isChanged }: HiddenRequest): Promise<RequestMatcher> {
    const isFound = () => this.#matcher !== undefined && (this.#hasReadAll || !isChanged);
    const [loaded, { createMatcher }] = await Promise.all([this.#load(), import('./tapeSearch')]);
    // Another request may have created it while this one waited.
    if (this.#matcher !== undefined && isFound()) return this.#matcher;
    const index = isChanged ? undefined : await this.#index?.requests();
    // Nor while the index was read.
    if (this.#matcher !== undefined && isFound()) return this.#matcher;
    const strings = isChanged || index !== undefined ? undefined : loaded.strings;
    const recorded = index === undefined ? loaded.requests() : loaded.indexed(index);
    const { rules, repeat = false } = this.#options;
    const { format } = loaded;
    const matcher = createMatcher(
      recorded,
      {
        ...rules,
        match: rules.match ?? defaultMatch(format, recorded),
        repeat,
        hash: sha256Binary,
        format,
      },
      index ?? strings,
    );
    this.#serveAgain(matcher);
    this.#matcher = matcher;
    this.#hasReadAll = index === undefined && strings === undefined;
    return matcher;
  }

  #serveAgain(matcher: RequestMatcher): void {
    for (const { places, count, sessionId } of this.#exact.served())
      for (let taken = 0; taken < count; taken += 1) matcher.takeOneOf(places, sessionId || undefined);
    for (const { index, sessionId } of this.#taken.splice(0)) matcher.takeOneOf([index], sessionId || undefined);
  }
}

/** A tape may have rules in place of requests, or only their keys. */
function defaultMatch({ holdsRules }: Pick<TapeFormat, 'holdsRules'>, recorded: readonly RecordedRequest[]): MatchMode {
  if (holdsRules) return 'recorder';
  return recorded.some(({ wire, chat }) => wire ?? chat) ? 'exact' : 'keyed';
}

function placesIn(loaded: LoadedTape | undefined, cache: ReplayCache | undefined): FindPlaces {
  return (key) => (cache ?? loaded)?.places(key) ?? [];
}

/** A tape in memory, and where its interactions are in the file. */
interface OpenedTape {
  readonly loaded: LoadedTape;
  places(): ReturnType<typeof interactionPlaces>;
}

async function cacheOf(
  { loaded, places }: OpenedTape,
  tape: FileIdentity,
  rules: string,
  masks: readonly Mask[],
  pause: Pause,
): Promise<CachedTape> {
  return { ...(await loaded.kept(masks, pause)), tape, format: loaded.format.id, rules, places: await places() };
}

type TapeSource = Pick<ReplayTapeOptions, 'path' | 'recorder'>;

/** Reads a tape: whole, or as one that was checked before. Rejects with a `UserError` if that is impossible. */
export async function loadTape(source: TapeSource, checked?: KnownTape): Promise<LoadedTape> {
  if (checked === undefined) return (await openLoaded(source)).loaded;
  const [recorder, { LoadedTape, loadUnchangedTape }] = await Promise.all([
    source.recorder.get(),
    import('./tapeSearch'),
  ]);
  const { tape, format } = await loadUnchangedTape(source.path, checked);
  return new LoadedTape(tape, format, recorder);
}

async function openLoaded({ path, recorder }: TapeSource): Promise<OpenedTape> {
  const [ownRecorder, { LoadedTape }, { interactionPlaces, isBroken, openTape, requireWhole }] = await Promise.all([
    recorder.get(),
    import('./loadedTape'),
    import('../../recording/readTape'),
  ]);
  const stored = await openTape(path);
  const loaded = new LoadedTape(stored.tape, stored.format, ownRecorder);
  const isWhole = stored.tape.problemsOfFile?.some(isBroken) === false && !loaded.mayBeBroken;
  if (!isWhole) requireWhole(stored);
  if (recorder.patterns.length > 0) loaded.searchBodies();
  return { loaded, places: () => interactionPlaces(stored) };
}

/** Everything that the keys of a cache depend on, besides the tape. */
function rulesText({ rules: { match, masks }, recorder }: ReplayTapeOptions): string {
  return JSON.stringify([version, match, masks.map(formatMask), recorder.patterns]);
}

async function existing(root: string, path: string): Promise<FileIdentity> {
  try {
    return await fileIdentity(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;

    if (hasCode(error, 'ENOENT', 'ENOTDIR'))
      throw noRecording(path, () => t('No recording yet: {0} does not exist', fromRoot(root, path)));
    throw new UserError(
      () => `${path}: ${systemReason(error)}`,
      () => t('Check the file and its permissions.'),
    );
  }
}
