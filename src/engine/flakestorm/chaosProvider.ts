import { faultyLlmOutcome, LLM_TIMEOUT, llmTimeout } from '../../core/flakestorm/faults';
import type { ChatRequest, ChatResponse } from '../../core/model/message';
import { message } from '../../core/text/l10n';
import { ProviderError } from '../errors/runErrors';
import type { ChatProvider } from '../providers/chatProvider';
import { ALTERED, type ChaosClock, type ChaosState } from './chaosState';

const FIX = message('The chaos of this run injected this fault: the agent is expected to survive it.');

/** A model under chaos: faults may change or replace any response. */
export class ChaosProvider implements ChatProvider {
  readonly label: string;
  readonly #inner: ChatProvider;
  readonly #chaosState: ChaosState;
  readonly #clock: ChaosClock;

  constructor(inner: ChatProvider, chaosState: ChaosState, clock: ChaosClock) {
    this.label = inner.label;
    this.#inner = inner;
    this.#chaosState = chaosState;
    this.#clock = clock;
  }

  async chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
    const { chaos, random, faults } = this.#chaosState;
    const number = this.#chaosState.nextResponse();
    const limitMs = llmTimeout(chaos.llmFaults, number, random);
    if (limitMs !== undefined) return this.#inTime(request, signal, limitMs);
    const response = await this.#inner.chat(request, signal);
    const before = response.content ?? '';
    const outcome = faultyLlmOutcome(chaos.llmFaults, before, number, random);
    if (outcome.type === 'error') {
      faults.push(outcome.message);
      throw new ProviderError('provider', outcome.message, FIX);
    }
    if (outcome.text === before) return response;
    faults.push(ALTERED.model);
    // A response made empty or gibberish calls no tools.
    const toolCalls = before === '' ? [] : response.toolCalls;
    return { ...response, content: outcome.text, toolCalls };
  }

  /**
   * Calls the model within a time limit, as Flakestorm does. Delays that are only counted count towards it; a recorded
   * response without delay is in time for any limit above zero.
   */
  async #inTime(request: ChatRequest, signal: AbortSignal, limitMs: number): Promise<ChatResponse> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), limitMs);
    const counted = this.#clock.countedMs;
    try {
      const response = await this.#inner.chat(request, AbortSignal.any([signal, late.signal]));
      if (this.#clock.countedMs - counted > limitMs) throw this.#timeout();
      return response;
    } catch (error) {
      if (late.signal.aborted && !signal.aborted) throw this.#timeout();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #timeout(): ProviderError {
    this.#chaosState.faults.push(LLM_TIMEOUT);
    return new ProviderError('provider', LLM_TIMEOUT, FIX);
  }
}
