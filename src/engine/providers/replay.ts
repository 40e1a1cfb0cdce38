import { createHash } from 'node:crypto';
import { DEFAULT_REPLAY_SPEC, type JoinedRules, joinRules, onMissHint } from '../../core/cases/toml/replaySpec';
import { comparableFromChat } from '../../core/match/comparableRequest';
import { driftLine } from '../../core/match/driftLine';
import type { Drift } from '../../core/match/explainDrift';
import { formatDrift } from '../../core/match/formatDrift';
import { formatMask } from '../../core/match/masks';
import { createMatcher, type RequestMatcher } from '../../core/match/matcher';
import { type RecordedRequest, recordedRequests } from '../../core/match/recordings';
import type { InteractionVerdict } from '../../core/model/artifact';
import type { ReplayRules, ReplaySpec } from '../../core/model/case';
import type { ChatRequest, ChatResponse } from '../../core/model/message';
import type { Tape } from '../../core/model/tape';
import { type RetakeOptions, retakeCost } from '../../core/prices/retakeCost';
import type { TapeFormat } from '../../core/tapes/format';
import { plainInteraction } from '../../core/tapes/lazyTape';
import { plural } from '../../core/text/counts';
import { t } from '../../core/text/l10n';
import { noticeBeside } from '../../core/text/notice';
import { shellWord } from '../../core/text/shellWord';
import { isExpired } from '../../core/verify/staleRecordings';
import { ProviderError, type RequestTexts, requestTexts } from '../errors/runErrors';
import type { StoredTape } from '../recording/readTape';
import type { Recorder } from '../recording/recorder';
import type { ChatProvider } from './chatProvider';

export interface ReplayOptions {
  readonly recorder: Recorder;
  readonly replay?: ReplaySpec | undefined;
  /** The rules for requests that hold before those of the case, and those that hold after. */
  readonly rules?: { readonly before?: ReplayRules; readonly after?: ReplayRules };
  /** The case's path in messages. */
  readonly caseName?: string;
  /** The tape's name in messages; by default its path. */
  readonly tapeName?: string;
  /** The model of a live run: the agent's requests name none, and the keys of some formats include it. */
  readonly model?: string | undefined;
  /** What a recording would call, and the project's prices. */
  readonly pricing?: Omit<RetakeOptions, 'from'>;
}

/** Replays the interactions of a tape: those that the rules find for a request, by default the next one. */
export class ReplayProvider implements ChatProvider {
  readonly label: string;
  readonly #path: string;
  readonly #interactions: Tape['interactions'];
  readonly #format: TapeFormat;
  readonly #options: ReplayOptions;
  readonly #spec: ReplaySpec;
  readonly #rules: JoinedRules & Required<Pick<ReplayRules, 'match'>>;
  #matcher: RequestMatcher;
  readonly #recorded: number;
  /** The requests of the tape are compared without their secrets. */
  #isHidden = false;
  readonly #verdicts: InteractionVerdict[] = [];

  constructor({ path, tape, format }: StoredTape, options: ReplayOptions) {
    this.label = `tape ${path}`;
    this.#path = path;
    // Referenced here, or a large tape would be evicted and read again between requests.
    this.#interactions = tape.interactions;
    this.#format = format;
    this.#options = options;
    this.#spec = options.replay ?? DEFAULT_REPLAY_SPEC;
    const { before, after } = options.rules ?? {};
    const match = format.holdsRules ? 'recorder' : 'sequence';
    this.#rules = { match, ...joinRules([before, this.#spec, after]) };
    const recorded = recordedRequests(tape, format);
    this.#recorded = recorded.length;
    this.#matcher = this.#matching(recorded);
  }

  /** The outcomes of the requests so far, and the recordings that were not used. */
  get verdicts(): readonly InteractionVerdict[] {
    const unused = this.#matcher.unused().map((index): InteractionVerdict => ({ verdict: 'unused', index }));
    return [...this.#verdicts, ...unused];
  }

  /** What does not count when requests are matched, as a case writes it. */
  get masks(): readonly string[] {
    return this.#rules.masks.map(formatMask);
  }

  async chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
    signal.throwIfAborted();
    if (this.#recorded === 0)
      throw new ProviderError(
        'replay',
        () => t('tape has no interactions'),
        () => t('Re-record {0}.', this.#path),
      );
    const taken = this.#take(request);
    if (!('index' in taken)) throw this.#missed(taken.explain(), request);
    const { index } = taken;
    const tape = this.#options.tapeName ?? this.#path;
    const explanation = taken.kind === 'differs' ? formatDrift(taken.explain(), { tape }) : undefined;
    const verdict = this.#isExpired(index) ? 'expired' : taken.kind;
    this.#verdicts.push({
      number: this.#verdicts.length,
      verdict,
      index,
      explanation,
    });
    const { request: recorded, response } = this.#interactions[index] ?? {};
    if (response === undefined || response.error !== undefined) throw this.#noResponse(index, response?.error);
    // Some formats have the model beside the request only, and the agent's own requests name none.
    const model = response.model ?? recorded?.model;
    return model === response.model || model === undefined ? response : { ...response, model };
  }

  /** Replaces the verdict of the last miss, for which a model has responded. */
  replaceLastVerdict(verdict: 'recorded' | 'passed'): void {
    const last = this.#verdicts.pop();
    if (last !== undefined) this.#verdicts.push({ ...last, verdict });
  }

  /** Whether this is the request that came next when the tape was recorded. */
  isNext(request: ChatRequest): boolean {
    const comparable = this.#comparable(request);
    return this.#matcher.isNext(comparable);
  }

  /** The recording for a request. Differences are reported, so recordings without secrets are compared. */
  #take(request: ChatRequest): ReturnType<RequestMatcher['take']> {
    const comparable = this.#comparable(request);
    if (!this.#isHidden) {
      const taken = this.#matcher.take(comparable);
      if ('index' in taken && taken.kind !== 'differs') return taken;
      this.#hideRecorded();
    }
    return this.#matcher.take(comparable);
  }

  #matching(recorded: readonly RecordedRequest[]): RequestMatcher {
    return createMatcher(recorded, {
      ...this.#rules,
      format: this.#format,
      repeat: this.#spec.repeat,
      hash: (text) => createHash('sha256').update(text).digest('hex'),
    });
  }

  /** The request as it would be recorded now. Where it has secrets, those of the tape's requests are hidden as well. */
  #comparable(request: ChatRequest): ChatRequest {
    const sent = this.#asOnTape(request);
    const hidden = this.#options.recorder.value(sent);
    if (hidden !== sent) this.#hideRecorded();
    return hidden;
  }

  #hideRecorded(): void {
    if (this.#isHidden) return;
    this.#isHidden = true;
    const { recorder } = this.#options;
    const interactions = this.#interactions.map((one) => ({
      ...plainInteraction(one),
      request: recorder.value(one.request),
    }));
    const matcher = this.#matching(
      recordedRequests({ format: this.#format.id, problems: [], interactions }, this.#format),
    );
    for (const { index } of this.#verdicts) if (index !== undefined) matcher.takeOneOf([index]);
    this.#matcher = matcher;
  }

  /** The request with a model, where those on the tape have one: the agent leaves it to the provider. */
  #asOnTape(request: ChatRequest): ChatRequest {
    const recorded = this.#interactions.find((one) => one.request?.model !== undefined)?.request?.model;
    const model = recorded && (this.#options.model ?? recorded);
    return model === undefined ? request : { model, ...request };
  }

  #isExpired(index: number): boolean {
    const { maxAgeDays } = this.#spec;
    const interaction = this.#interactions[index];
    return maxAgeDays !== undefined && interaction !== undefined && isExpired(interaction, maxAgeDays, new Date());
  }

  #missed(drift: Drift, request: ChatRequest): ProviderError {
    const tape = this.#options.tapeName ?? this.#path;
    const explanation = formatDrift(drift, { tape });
    const verdict = drift.kind === 'out-of-order' ? 'drifted' : drift.kind;
    this.#verdicts.push({ number: this.#verdicts.length, verdict, explanation });
    const isInOrder = this.#rules.match === 'sequence' && drift.lacking === undefined;
    const isExhausted = isInOrder && this.#matcher.unused().length === 0;
    const count = () => plural(this.#recorded, 'interaction');
    const from = this.#verdicts.length;
    const line = () =>
      isExhausted ? t('The agent sent request {0}, and the tape has {1}', from, count()) : driftLine(drift);
    const said = noticeBeside(line);
    const again = () =>
      isExhausted
        ? t('The agent now makes more requests than when {0} was recorded: re-record it.', this.#path)
        : this.#rerecordFrom(from);
    return new ProviderError(
      'replay',
      () => (isExhausted ? t('replay exhausted after {0}', count()) : formatDrift(drift, { tape })),
      () => [again(), onMissHint(this.#spec)].filter((line) => line !== undefined).join('\n'),
      {
        miss: {
          tapePath: this.#path,
          kind: drift.kind,
          line: line(),
          ...(said && { said }),
          at: from - 1,
          recorded: this.#recorded,
          ...(drift.nearest && { nearest: drift.nearest.index }),
          retake: retakeCost(this.#interactions, { ...this.#options.pricing, from: from - 1 }),
          masks: drift.masks.map(formatMask),
        },
        requests: this.#requests(drift, request),
      },
    );
  }

  #rerecordFrom(from: number): string {
    const { caseName } = this.#options;
    return caseName === undefined
      ? t('Record it again from request {0}.', from)
      : t('Record it again from request {0}: tapedeck run {1} --record --from {0}.', from, shellWord(caseName));
  }

  /** The texts for a diff; undefined if no recording is similar to the request. */
  #requests({ nearest }: Drift, request: ChatRequest): RequestTexts | undefined {
    const recorded = nearest && this.#interactions[nearest.index]?.request;
    if (recorded === undefined || recorded.partial !== undefined) return undefined;
    const { recorder } = this.#options;
    const comparable = (one: ChatRequest) => comparableFromChat(recorder.value(one), this.#format.storedFields).body;
    return requestTexts(comparable(recorded), comparable(this.#asOnTape(request)));
  }

  #noResponse(index: number, error?: string): ProviderError {
    const message = () =>
      t('interaction {0} of the tape has no response: {1}', index + 1, error ?? t('nothing was recorded'));
    return new ProviderError('replay', message, () => t('Re-record {0}.', this.#path));
  }
}
